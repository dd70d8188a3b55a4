// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.netty;

import io.github.rdma4j.netty.transport.RdmaChannelOption;
import io.github.rdma4j.netty.transport.RdmaIoHandler;
import io.github.rdma4j.netty.transport.RdmaServerSocketChannel;
import io.github.rdma4j.netty.transport.RdmaSocketChannel;
import io.github.rdma4j.netty.transport.RdmaWire;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What Netty's channels go over, with event loops.
 *
 * @param wire null for TCP
 */
public record Wire(String name, @Nullable RdmaWire wire, EventLoopGroup group, InetAddress host) {
    private static final int LOOPS = 3;

    /** Netty's own channels. */
    public static Wire tcp(InetAddress host) {
        DefaultThreadFactory threads = new DefaultThreadFactory("tcp", true);
        return new Wire("TCP", null, new MultiThreadIoEventLoopGroup(LOOPS, threads, NioIoHandler.newFactory()), host);
    }

    /** Both wires of the channels over RDMA. */
    public static List<Wire> rdma(InetAddress host) {
        DefaultThreadFactory threads = new DefaultThreadFactory("rdma", true);
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(LOOPS, threads, RdmaIoHandler.newFactory());
        return List.of(
                new Wire("the native wire", RdmaWire.NATIVE, group, host),
                new Wire("rsocket's wire", RdmaWire.RSOCKET, group, host));
    }

    ServerBootstrap server() {
        return new ServerBootstrap()
                .group(group)
                .channel(wire == null ? NioServerSocketChannel.class : RdmaServerSocketChannel.class);
    }

    Bootstrap client() {
        Bootstrap bootstrap = new Bootstrap().group(group);
        return wire == null
                ? bootstrap.channel(NioSocketChannel.class)
                : bootstrap.channel(RdmaSocketChannel.class).option(RdmaChannelOption.WIRE, wire);
    }

    @Override
    public String toString() {
        return name;
    }
}
