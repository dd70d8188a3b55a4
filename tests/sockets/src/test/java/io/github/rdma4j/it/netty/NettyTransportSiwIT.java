// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.RequiresSiw;

/** Channels of Netty over soft-iWARP. */
@RequiresSiw
class NettyTransportSiwIT extends NettyTransportScenarios {}
