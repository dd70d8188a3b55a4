// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import io.github.rdma4j.internal.nio.PlainSocketScenarios;
import io.github.rdma4j.it.support.RequiresKernel;

/** Plain sockets over soft-RoCE. */
@RequiresKernel
class PlainSocketKernelIT extends PlainSocketScenarios {
    PlainSocketKernelIT() {
        super(OverRdma.SOCKETS, OverRdma.HOST);
    }

    @Override
    protected boolean hasUrgentData() {
        return false;
    }
}
