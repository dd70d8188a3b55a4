// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.testkit.model.ModelRdmaCm;

/** {@link MigrationScenarios} on the model. */
class MigrationModelTest extends MigrationScenarios {
    MigrationModelTest() {
        super(Place.of(new ModelRdmaCm()));
    }
}
