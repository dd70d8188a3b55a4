// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import io.github.rdma4j.internal.nio.PlainVirtualScenarios;
import io.github.rdma4j.it.support.RequiresKernel;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Virtual threads at plain sockets over soft-RoCE. */
@RequiresKernel
@EnabledForJreRange(min = JRE.JAVA_21)
class PlainVirtualKernelIT extends PlainVirtualScenarios {
    PlainVirtualKernelIT() {
        super(OverRdma.SOCKETS, OverRdma.HOST);
    }
}
