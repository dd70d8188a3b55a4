// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import io.github.rdma4j.internal.nio.PlainEndScenarios;
import io.github.rdma4j.it.support.RequiresKernel;

/** How waiting ends at plain sockets over soft-RoCE. */
@RequiresKernel
class PlainEndKernelIT extends PlainEndScenarios {
    PlainEndKernelIT() {
        super(OverRdma.SOCKETS, OverRdma.HOST);
    }
}
