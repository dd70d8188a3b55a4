// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.netty.transport.RdmaChannelOption;
import io.github.rdma4j.netty.transport.RdmaServerSocketChannel;
import io.github.rdma4j.netty.transport.RdmaSocketChannel;
import io.github.rdma4j.netty.transport.RdmaWire;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** What the same program runs on: Netty's own channels over TCP are the oracle of the others. */
enum Transport {
    TCP,
    NATIVE,
    RSOCKET;

    static final List<Transport> ALL = List.of(values());
    static final List<Transport> OVER_RDMA = List.of(NATIVE, RSOCKET);

    /** How much a channel reads at once: the name that both Netty 4.1 and 4.2 have. */
    @SuppressWarnings("deprecation") // in Netty 4.2
    static final ChannelOption<RecvByteBufAllocator> READS = ChannelOption.RCVBUF_ALLOCATOR;

    EventLoopGroup group(int threads) {
        return this == TCP ? Loops.overTcp(threads) : Loops.overRdma(threads);
    }

    /** A server that is not bound. */
    ServerBootstrap server(EventLoopGroup group, ChannelHandler child) {
        ServerBootstrap made = new ServerBootstrap().group(group).childHandler(child);
        return this == TCP
                ? made.channel(NioServerSocketChannel.class)
                        .localAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                : made.channel(RdmaServerSocketChannel.class).localAddress(new InetSocketAddress(Rxe.IPV4, 0));
    }

    /** A client that is not connected. */
    Bootstrap client(EventLoopGroup group, ChannelHandler handler) {
        Bootstrap made = new Bootstrap().group(group).handler(handler);
        return this == TCP
                ? made.channel(NioSocketChannel.class)
                : made.channel(RdmaSocketChannel.class).option(RdmaChannelOption.WIRE, RdmaWire.valueOf(name()));
    }
}
