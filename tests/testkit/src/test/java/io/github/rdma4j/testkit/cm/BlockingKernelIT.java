// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

/** {@link BlockingScenarios} on Linux. */
class BlockingKernelIT extends BlockingScenarios {
    BlockingKernelIT() {
        super(Place.running());
    }
}
