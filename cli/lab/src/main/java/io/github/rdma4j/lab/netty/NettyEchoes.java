// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.netty;

import io.github.rdma4j.lab.turns.Turns;
import io.github.rdma4j.netty.transport.RdmaIoHandler;
import io.github.rdma4j.netty.transport.RdmaServerSocketChannel;
import io.github.rdma4j.netty.transport.RdmaSocketChannel;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Messages that a server with Netty sends back, over RDMA or over TCP: each connection has one under way. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
public final class NettyEchoes {
    /** An argument: over RDMA. */
    public static final String RDMA = "rdma";

    /** An argument: over TCP. */
    public static final String TCP = "tcp";

    /** With how many connections it is measured. */
    public static final List<Integer> CONNECTIONS = List.of(1, 8, 64);

    private static final int SIZE = 64;
    private static final double NANOS_PER_SECOND = 1e9;

    private NettyEchoes() {}

    /** The name of the figure, echoes a second. */
    public static String figure(int connections) {
        return "netty_echo_" + connections;
    }

    /** What makes the difference between the two. */
    private record Transport(
            IoHandlerFactory handlers, Class<? extends ServerChannel> server, Class<? extends Channel> client) {
        static Transport of(String name) {
            return name.equals(RDMA)
                    ? new Transport(RdmaIoHandler.newFactory(), RdmaServerSocketChannel.class, RdmaSocketChannel.class)
                    : new Transport(NioIoHandler.newFactory(), NioServerSocketChannel.class, NioSocketChannel.class);
        }
    }

    /** Arguments: {@code server} or {@code client}, address, port, {@value #RDMA} or {@value #TCP}. */
    public static void main(String[] arguments) throws Exception {
        Turns.endOnFailure();
        InetSocketAddress address = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
        Transport transport = Transport.of(arguments[3]);
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, transport.handlers());
        if (arguments[0].equals("server")) {
            Channel listening = new ServerBootstrap()
                    .group(group)
                    .channel(transport.server())
                    .childHandler(new Echo())
                    .bind(address)
                    .sync()
                    .channel();
            System.out.println("serving");
            listening.closeFuture().sync();
        } else {
            measure(new Bootstrap().group(group).channel(transport.client()).remoteAddress(address));
        }
        System.exit(0);
    }

    private static void measure(Bootstrap bootstrap) throws Exception {
        List<Channel> channels = new ArrayList<>();
        int most = CONNECTIONS.get(CONNECTIONS.size() - 1);
        while (channels.size() < most) {
            channels.add(bootstrap
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect()
                    .sync()
                    .channel());
        }
        Turns.serve((turns, iterations) -> {
            for (int connections : CONNECTIONS) {
                turns.figure(figure(connections), perSecond(channels.subList(0, connections), iterations));
            }
        });
    }

    private static double perSecond(List<Channel> channels, int echoes) throws InterruptedException {
        AtomicInteger left = new AtomicInteger(echoes - channels.size());
        CountDownLatch done = new CountDownLatch(channels.size());
        long start = System.nanoTime();
        for (Channel channel : channels) {
            Sender sender = new Sender(left, done);
            channel.pipeline().addLast(sender);
            channel.eventLoop().execute(() -> sender.send(channel));
        }
        done.await();
        double perSecond = echoes * NANOS_PER_SECOND / (System.nanoTime() - start);
        for (Channel channel : channels) {
            channel.pipeline().remove(Sender.class);
        }
        return perSecond;
    }

    @Sharable
    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message, context.voidPromise());
        }
    }

    /** Sends the next message when the last has come back. */
    private static final class Sender extends ChannelInboundHandlerAdapter {
        private final AtomicInteger left;
        private final CountDownLatch done;
        private int missing;

        Sender(AtomicInteger left, CountDownLatch done) {
            this.left = left;
            this.done = done;
        }

        void send(Channel channel) {
            missing = SIZE;
            ByteBuf message = channel.alloc().directBuffer(SIZE).writeZero(SIZE);
            channel.writeAndFlush(message, channel.voidPromise());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            missing -= bytes.readableBytes();
            bytes.release();
            if (missing > 0) {
                return;
            }
            if (left.getAndDecrement() > 0) {
                send(context.channel());
            } else {
                done.countDown();
            }
        }
    }
}
