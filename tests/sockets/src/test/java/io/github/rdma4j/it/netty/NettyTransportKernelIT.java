// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.RequiresKernel;

/** Channels of Netty over soft-RoCE. */
@RequiresKernel
class NettyTransportKernelIT extends NettyTransportScenarios {}
