// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import io.github.rdma4j.internal.nio.SocketScenarios;
import io.github.rdma4j.it.support.RequiresKernel;

/** Sockets of channels over soft-RoCE. */
@RequiresKernel
class NioSocketKernelIT extends SocketScenarios {
    NioSocketKernelIT() {
        super(OverRdma.PROVIDER, OverRdma.HOST);
    }

    @Override
    protected boolean hasUrgentData() {
        return false;
    }
}
