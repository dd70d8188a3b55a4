// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import io.github.rdma4j.internal.nio.SocketChannelScenarios;
import io.github.rdma4j.it.support.RequiresIb;

/** Channels over InfiniBand, by the addresses of IP over InfiniBand. */
@RequiresIb
class NioSocketChannelIbIT extends SocketChannelScenarios {
    NioSocketChannelIbIT() {
        super(OverRdma.PROVIDER, OverRdma.HOST);
    }
}
