// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.testkit.model.ModelRdmaCm;

/** {@link AddressScenarios} on the model. */
class AddressModelTest extends AddressScenarios {
    AddressModelTest() {
        super(Place.of(new ModelRdmaCm()));
    }
}
