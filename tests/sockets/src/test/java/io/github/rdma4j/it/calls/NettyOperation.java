// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.calls;

import io.github.rdma4j.netty.transport.RdmaChannelOption;
import io.github.rdma4j.netty.transport.RdmaIoHandler;
import io.github.rdma4j.netty.transport.RdmaServerSocketChannel;
import io.github.rdma4j.netty.transport.RdmaSocketChannel;
import io.github.rdma4j.netty.transport.RdmaWire;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** An echo of 64 bytes between two channels on one event loop, which does not poll before it sleeps. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
final class NettyOperation implements CountedOperations.Operation {
    private static final int BYTES = 64;
    private static final int END_SECONDS = 30;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("loop", true), RdmaIoHandler.newFactory(Duration.ZERO));
    private final Semaphore answered = new Semaphore(0);
    private final Channel server;
    private final Channel client;

    NettyOperation(String host, RdmaWire wire) throws Exception {
        server = new ServerBootstrap()
                .group(group)
                .channel(RdmaServerSocketChannel.class)
                .childHandler(new Echo())
                .bind(host, 0)
                .sync()
                .channel();
        client = new Bootstrap()
                .group(group)
                .channel(RdmaSocketChannel.class)
                .option(RdmaChannelOption.WIRE, wire)
                .handler(new Answer(answered))
                .connect(server.localAddress())
                .sync()
                .channel();
    }

    @Override
    public void once() throws InterruptedException {
        client.writeAndFlush(Unpooled.buffer(BYTES).writeZero(BYTES));
        answered.acquire(BYTES);
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, END_SECONDS, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Sharable
    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message);
        }
    }

    private static final class Answer extends ChannelInboundHandlerAdapter {
        private final Semaphore answered;

        Answer(Semaphore answered) {
            this.answered = answered;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            int length = bytes.readableBytes();
            bytes.release();
            answered.release(length);
        }
    }
}
