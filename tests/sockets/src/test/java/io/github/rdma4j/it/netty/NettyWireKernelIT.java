// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.RequiresKernel;
import org.junit.jupiter.api.extension.ExtendWith;

/** The wires of channels over soft-RoCE. */
@RequiresKernel
@ExtendWith(Leaks.class)
class NettyWireKernelIT extends NettyWireScenarios {}
