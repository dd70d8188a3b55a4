// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import io.github.rdma4j.internal.nio.SocketChannelScenarios;
import io.github.rdma4j.it.support.RequiresKernel;

/** Channels over soft-RoCE. */
@RequiresKernel
class NioSocketChannelKernelIT extends SocketChannelScenarios {
    NioSocketChannelKernelIT() {
        super(OverRdma.PROVIDER, OverRdma.HOST);
    }
}
