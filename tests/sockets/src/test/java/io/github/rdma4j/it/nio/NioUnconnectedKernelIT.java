// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import io.github.rdma4j.internal.nio.UnconnectedScenarios;
import io.github.rdma4j.it.support.RequiresKernel;

/** Channels before they are connected, over soft-RoCE. */
@RequiresKernel
class NioUnconnectedKernelIT extends UnconnectedScenarios {
    NioUnconnectedKernelIT() {
        super(OverRdma.PROVIDER, OverRdma.HOST);
    }
}
