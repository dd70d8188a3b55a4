// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import io.github.rdma4j.internal.nio.EndScenarios;
import io.github.rdma4j.it.support.RequiresKernel;

/** The ends of connections over soft-RoCE. */
@RequiresKernel
class NioEndKernelIT extends EndScenarios {
    NioEndKernelIT() {
        super(OverRdma.PROVIDER, OverRdma.HOST);
    }
}
