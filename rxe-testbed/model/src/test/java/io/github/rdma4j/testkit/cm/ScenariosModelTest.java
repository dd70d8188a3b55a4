// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.testkit.model.ModelRdmaCm;
import org.junit.jupiter.api.Nested;

/** The scenarios on the model. */
class ScenariosModelTest {
    @Nested
    class Address extends AddressScenarios {
        Address() {
            super(Place.of(new ModelRdmaCm()));
        }
    }

    @Nested
    class Blocking extends BlockingScenarios {
        Blocking() {
            super(Place.of(new ModelRdmaCm()));
        }
    }

    @Nested
    class Connect extends ConnectScenarios {
        Connect() {
            super(Place.of(new ModelRdmaCm()));
        }
    }

    @Nested
    class Datagram extends DatagramScenarios {
        Datagram() {
            super(Place.of(new ModelRdmaCm()));
        }
    }

    @Nested
    class Loop extends LoopScenarios {
        Loop() {
            super(Place.of(new ModelRdmaCm()));
        }
    }

    @Nested
    class Migration extends MigrationScenarios {
        Migration() {
            super(Place.of(new ModelRdmaCm()));
        }
    }
}
