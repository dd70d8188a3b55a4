// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import io.github.rdma4j.internal.nio.SelectorScenarios;
import io.github.rdma4j.it.support.RequiresKernel;

/** Selectors over soft-RoCE. */
@RequiresKernel
class NioSelectorKernelIT extends SelectorScenarios {
    NioSelectorKernelIT() {
        super(OverRdma.PROVIDER, OverRdma.HOST);
    }
}
