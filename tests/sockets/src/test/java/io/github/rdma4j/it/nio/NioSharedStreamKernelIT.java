// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import io.github.rdma4j.internal.nio.SharedStreamScenarios;
import io.github.rdma4j.it.support.RequiresKernel;

/** Several threads and one channel over soft-RoCE. */
@RequiresKernel
class NioSharedStreamKernelIT extends SharedStreamScenarios {
    NioSharedStreamKernelIT() {
        super(OverRdma.PROVIDER, OverRdma.HOST);
    }
}
