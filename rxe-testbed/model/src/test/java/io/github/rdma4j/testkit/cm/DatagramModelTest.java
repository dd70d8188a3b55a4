// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.testkit.model.ModelRdmaCm;

/** {@link DatagramScenarios} on the model. */
class DatagramModelTest extends DatagramScenarios {
    DatagramModelTest() {
        super(Place.of(new ModelRdmaCm()));
    }
}
