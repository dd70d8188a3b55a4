// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.testbed.junit.SoftRoce;

/** {@link BlockingScenarios} on Linux. */
@SoftRoce
class BlockingKernelIT extends BlockingScenarios {
    BlockingKernelIT() {
        super(Place.running());
    }
}
