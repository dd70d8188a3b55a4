// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.testbed.Testbed;
import io.github.rdma4j.testbed.junit.SoftRoce;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The scenarios on InfiniBand. */
@Tag("slow")
@SoftRoce(device = Testbed.Device.IB)
class ScenariosIbIT {
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
