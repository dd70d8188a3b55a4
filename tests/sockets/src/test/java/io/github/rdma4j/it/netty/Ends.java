// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.netty.transport.RdmaChannelOption;
import io.github.rdma4j.netty.transport.RdmaServerSocketChannel;
import io.github.rdma4j.netty.transport.RdmaSocketChannel;
import io.github.rdma4j.netty.transport.RdmaWire;
import io.github.rdma4j.support.Await;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import java.io.Closeable;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Event loops, and servers and clients on them. */
final class Ends implements Closeable {
    private final EventLoopGroup group;

    /** The connections that servers have accepted. */
    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();

    Ends() {
        this(2);
    }

    Ends(int loops) {
        this(Loops.overRdma(loops));
    }

    Ends(EventLoopGroup group) {
        this.group = group;
    }

    EventLoopGroup group() {
        return group;
    }

    /** A server that is not bound; each connection gets a handler of {@code handlers}. */
    ServerBootstrap server(Supplier<ChannelHandler> handlers) {
        return new ServerBootstrap()
                .group(group)
                .channel(RdmaServerSocketChannel.class)
                .localAddress(new InetSocketAddress(Rxe.IPV4, 0))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(handlers.get());
                        accepted.add(channel);
                    }
                });
    }

    /** As {@link #server(Supplier)}, on one wire only. */
    ServerBootstrap server(Supplier<ChannelHandler> handlers, RdmaWire wire) {
        return server(handlers).option(RdmaChannelOption.WIRE, wire);
    }

    /** As {@link #client(ChannelHandler)}, on one wire only. */
    Bootstrap client(ChannelHandler handler, RdmaWire wire) {
        return client(handler).option(RdmaChannelOption.WIRE, wire);
    }

    /** A client that is not connected. */
    Bootstrap client(ChannelHandler handler) {
        return new Bootstrap().group(group).channel(RdmaSocketChannel.class).handler(handler);
    }

    /** Binds a server, and returns its channel. */
    static Channel bound(ServerBootstrap server) throws InterruptedException {
        return server.bind().sync().channel();
    }

    /** Connects a client, and returns its channel. */
    static Channel connected(Bootstrap client, SocketAddress server) throws InterruptedException {
        return client.connect(server).sync().channel();
    }

    /** Connects a client, and returns its channel. */
    static Channel connected(Bootstrap client, Channel server) throws InterruptedException {
        return connected(client, server.localAddress());
    }

    /** Bytes that differ from those of another {@code first}, and from those a few bytes away. */
    static byte[] pattern(int length, int first) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (first + i * 7 + i / 251);
        }
        return bytes;
    }

    /** The next connection that a server has accepted. */
    Channel accepted() throws InterruptedException {
        Channel channel = accepted.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        if (channel == null) {
            throw new AssertionError("nothing was accepted");
        }
        return channel;
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, Await.LIMIT.toSeconds(), TimeUnit.SECONDS).syncUninterruptibly();
    }
}
