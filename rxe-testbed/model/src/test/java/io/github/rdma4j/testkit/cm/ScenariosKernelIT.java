// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.testbed.junit.SoftRoce;
import org.junit.jupiter.api.Nested;

/** The scenarios on Linux. */
@SoftRoce
class ScenariosKernelIT {
    @Nested
    class Address extends AddressScenarios {
        Address() {
            super(Place.running());
        }
    }

    @Nested
    class Blocking extends BlockingScenarios {
        Blocking() {
            super(Place.running());
        }
    }

    @Nested
    class Connect extends ConnectScenarios {
        Connect() {
            super(Place.running());
        }
    }

    @Nested
    class Datagram extends DatagramScenarios {
        Datagram() {
            super(Place.running());
        }
    }

    @Nested
    class Loop extends LoopScenarios {
        Loop() {
            super(Place.running());
        }
    }

    @Nested
    class Migration extends MigrationScenarios {
        Migration() {
            super(Place.running());
        }
    }
}
