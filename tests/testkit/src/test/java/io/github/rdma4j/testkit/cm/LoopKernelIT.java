// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

/** {@link LoopScenarios} on Linux. */
class LoopKernelIT extends LoopScenarios {
    LoopKernelIT() {
        super(Place.running());
    }
}
