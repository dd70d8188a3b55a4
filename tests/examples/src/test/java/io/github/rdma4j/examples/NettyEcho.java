// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.netty.transport.RdmaIoHandler;
import io.github.rdma4j.netty.transport.RdmaServerSocketChannel;
import io.github.rdma4j.netty.transport.RdmaSocketChannel;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** A server with Netty that sends back what comes, and a client: as over TCP, but for the handler and two classes. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
final class NettyEcho {
    private NettyEcho() {}

    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0]));
    }

    /** Returns the text that came back; {@code host} is an address of an RDMA device of this machine. */
    static String run(String host) throws InterruptedException, ExecutionException {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(RdmaIoHandler.newFactory());
        ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
        try {
            Channel server = new ServerBootstrap()
                    .group(group)
                    .channel(RdmaServerSocketChannel.class)
                    .childOption(ChannelOption.SO_LINGER, 10)
                    .childHandler(new Echo(channels))
                    .bind(host, 0)
                    .sync()
                    .channel();
            channels.add(server);
            CompletableFuture<String> answer = new CompletableFuture<>();
            Channel client = new Bootstrap()
                    .group(group)
                    .channel(RdmaSocketChannel.class)
                    .option(ChannelOption.SO_LINGER, 10)
                    .handler(new Answer(answer))
                    .connect(server.localAddress())
                    .sync()
                    .channel();
            channels.add(client);
            client.writeAndFlush(Unpooled.copiedBuffer("Hello, Netty", StandardCharsets.UTF_8));
            return answer.get();
        } finally {
            channels.close().sync();
            group.shutdownGracefully(1, 10, TimeUnit.SECONDS).sync();
        }
    }

    @Sharable
    private static final class Echo extends ChannelInboundHandlerAdapter {
        private final ChannelGroup channels;

        Echo(ChannelGroup channels) {
            this.channels = channels;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            channels.add(context.channel());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message);
        }
    }

    /** A short text comes in a single message. */
    private static final class Answer extends SimpleChannelInboundHandler<ByteBuf> {
        private final CompletableFuture<String> text;

        Answer(CompletableFuture<String> text) {
            this.text = text;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
            text.complete(message.toString(StandardCharsets.UTF_8));
        }
    }
}
