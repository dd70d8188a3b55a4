// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.RequiresIb;

/** Channels of Netty over InfiniBand. */
@RequiresIb
class NettyTransportIbIT extends NettyTransportScenarios {}
