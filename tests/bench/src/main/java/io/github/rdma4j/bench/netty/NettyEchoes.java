// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.netty;

import io.github.rdma4j.bench.turns.Turns;
import io.github.rdma4j.netty.transport.RdmaChannelOption;
import io.github.rdma4j.netty.transport.RdmaIoHandler;
import io.github.rdma4j.netty.transport.RdmaServerSocketChannel;
import io.github.rdma4j.netty.transport.RdmaSocketChannel;
import io.github.rdma4j.netty.transport.RdmaWire;
import io.github.rdma4j.nio.RdmaSelectorProvider;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
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
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Messages that a server with Netty sends back, over RDMA or over TCP: each connection has one under way. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
public final class NettyEchoes {
    /** How the messages travel; an argument is the name. */
    public enum Way {
        /** Channels over RDMA, on the native wire. */
        NATIVE,

        /** The same channels, on rsocket's wire. */
        RSOCKET,

        /** Netty's channels of NIO over the provider of rdma4j. */
        PROVIDER,

        /** Netty's channels of NIO over TCP. */
        TCP
    }

    /** With how many connections it is measured. */
    public static final List<Integer> CONNECTIONS = List.of(1, 8, 64);

    private static final int SIZE = 64;
    private static final double NANOS_PER_SECOND = 1e9;

    private NettyEchoes() {}

    /** The name of the figure, echoes a second. */
    public static String figure(String bench, int connections) {
        return bench + "_" + connections;
    }

    /** What makes the difference between the ways. */
    private record Transport(
            IoHandlerFactory handlers,
            ChannelFactory<? extends ServerChannel> server,
            ChannelFactory<? extends Channel> client) {
        static Transport of(Way way) {
            return switch (way) {
                case NATIVE, RSOCKET -> rdma(RdmaWire.valueOf(way.name()));
                case PROVIDER -> nio(new RdmaSelectorProvider());
                case TCP -> nio(SelectorProvider.provider());
            };
        }

        private static Transport rdma(RdmaWire wire) {
            return new Transport(RdmaIoHandler.newFactory(), RdmaServerSocketChannel::new, () -> {
                RdmaSocketChannel channel = new RdmaSocketChannel();
                channel.config().setOption(RdmaChannelOption.WIRE, wire);
                return channel;
            });
        }

        private static Transport nio(SelectorProvider provider) {
            return new Transport(
                    NioIoHandler.newFactory(provider),
                    () -> new NioServerSocketChannel(provider),
                    () -> new NioSocketChannel(provider));
        }
    }

    /** Arguments: {@code server} or {@code client}, address, port, a {@link Way}, and the name of the bench. */
    public static void main(String[] arguments) throws Exception {
        Turns.endOnFailure();
        InetSocketAddress address = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
        Transport transport = Transport.of(Way.valueOf(arguments[3]));
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, transport.handlers());
        if (arguments[0].equals("server")) {
            Channel listening = new ServerBootstrap()
                    .group(group)
                    .channelFactory(transport.server())
                    .childHandler(new Echo())
                    .bind(address)
                    .sync()
                    .channel();
            System.out.println("serving");
            listening.closeFuture().sync();
        } else {
            measure(
                    new Bootstrap()
                            .group(group)
                            .channelFactory(transport.client())
                            .remoteAddress(address),
                    arguments[4]);
        }
        System.exit(0);
    }

    private static void measure(Bootstrap bootstrap, String bench) throws Exception {
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
                turns.figure(figure(bench, connections), perSecond(channels.subList(0, connections), iterations));
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
