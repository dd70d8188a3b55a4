// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.testkit.model.ModelRdmaCm;

/** {@link LoopScenarios} on the model. */
class LoopModelTest extends LoopScenarios {
    LoopModelTest() {
        super(Place.of(new ModelRdmaCm()));
    }
}
