// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.testkit.model.ModelRdmaCm;

/** {@link BlockingScenarios} on the model. */
class BlockingModelTest extends BlockingScenarios {
    BlockingModelTest() {
        super(Place.of(new ModelRdmaCm()));
    }
}
