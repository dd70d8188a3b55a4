// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import io.github.rdma4j.netty.transport.RdmaIoHandler;
import io.github.rdma4j.netty.transport.RdmaServerSocketChannel;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The echo server with Netty, on both wires. After a device removal it listens again. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
final class NettyEchoService implements Service {
    private static final int BACKLOG = 16;
    private static final long IDLE = TimeUnit.SECONDS.toNanos(10);

    private final InetSocketAddress address;
    private final Violations violations;
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, RdmaIoHandler.newFactory());

    NettyEchoService(InetSocketAddress address, Violations violations) {
        this.address = address;
        this.violations = violations;
    }

    @Override
    public void start() throws IOException, InterruptedException {
        Threads.listen(
                "netty echo", this::listen, listening -> listening.closeFuture().sync());
    }

    private Channel listen() throws IOException, InterruptedException {
        ChannelFuture bound = bootstrap().bind(address).await();
        if (!bound.isSuccess()) {
            throw new IOException("cannot bind", bound.cause());
        }
        return bound.channel();
    }

    private ServerBootstrap bootstrap() {
        return new ServerBootstrap()
                .group(group)
                .channel(RdmaServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_RCVBUF, StreamClient.ROUND)
                .option(ChannelOption.SO_SNDBUF, StreamClient.ROUND)
                // A pool would keep what a flood needed, and hide leaks.
                .childOption(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new Echo());
                    }
                });
    }

    private final class Echo extends ChannelInboundHandlerAdapter {
        private long served = System.nanoTime();
        private @Nullable Future<?> watch;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            watch = context.executor().scheduleAtFixedRate(() -> endIdle(context), IDLE, IDLE, TimeUnit.NANOSECONDS);
        }

        private void endIdle(ChannelHandlerContext context) {
            if (System.nanoTime() - served > IDLE) {
                context.close();
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            served = System.nanoTime();
            context.writeAndFlush(message, context.voidPromise());
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (watch != null) {
                watch.cancel(false);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
            Log.say("netty echo: ", failure);
            if (!(failure instanceof IOException) && !(failure instanceof OutOfMemoryError)) {
                violations.add("a channel of Netty's echo server has failed: " + failure);
            }
            context.close();
        }
    }
}
