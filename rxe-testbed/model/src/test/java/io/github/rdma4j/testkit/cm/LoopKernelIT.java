// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.testbed.junit.SoftRoce;

/** {@link LoopScenarios} on Linux. */
@SoftRoce
class LoopKernelIT extends LoopScenarios {
    LoopKernelIT() {
        super(Place.running());
    }
}
