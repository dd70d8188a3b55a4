// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.testkit.model.ModelRdmaCm;

/** {@link ConnectScenarios} on the model. */
class ConnectModelTest extends ConnectScenarios {
    ConnectModelTest() {
        super(Place.of(new ModelRdmaCm()));
    }
}
