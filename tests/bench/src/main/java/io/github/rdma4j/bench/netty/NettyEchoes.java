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
import java.util.stream.Stream;

/** Messages that a server with Netty sends back, over RDMA or over TCP. */
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

    /**
     * What is measured.
     *
     * @param bytes of a message
     * @param underWay messages of a connection at a time
     * @param share a message for so many of 64 bytes
     */
    public record Load(int bytes, int connections, int underWay, int share) {
        /** The name of the figure, echoes a second. */
        public String figure(String bench) {
            return bench + (bytes == SMALL ? "" : "_" + bytes) + (underWay == 1 ? "" : "_stream") + "_" + connections;
        }
    }

    private static final int SMALL = 64;
    private static final int LARGE = 1 << 16;
    private static final int STREAM = 8;
    private static final int SHARE = 5;
    private static final int MOST = 64;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Small messages. */
    public static final List<Load> ECHOES =
            Stream.of(1, 8, MOST).map(count -> new Load(SMALL, count, 1, 1)).toList();

    /** Small and large messages, and streams of large ones. */
    public static final List<Load> ALL = Stream.of(
                    ECHOES.stream(),
                    Stream.of(1, 8, MOST).map(count -> new Load(LARGE, count, 1, SHARE)),
                    Stream.of(1, 8).map(count -> new Load(LARGE, count, STREAM, SHARE)))
            .flatMap(loads -> loads)
            .toList();

    private NettyEchoes() {}

    /** What makes the difference between the ways. */
    record Transport(
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

    /** Arguments: {@code server} or {@code client}, address, port, a {@link Way}, the name of the bench, and if all loads are measured. */
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
                    arguments[4],
                    Boolean.parseBoolean(arguments[5]) ? ALL : ECHOES);
        }
        System.exit(0);
    }

    private static void measure(Bootstrap bootstrap, String bench, List<Load> loads) throws Exception {
        List<Channel> channels = new ArrayList<>();
        while (channels.size() < MOST) {
            channels.add(bootstrap
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect()
                    .sync()
                    .channel());
        }
        Turns.serve((turns, iterations) -> {
            for (Load load : loads) {
                turns.figure(
                        load.figure(bench),
                        perSecond(channels.subList(0, load.connections()), load, iterations / load.share()));
            }
        });
    }

    private static double perSecond(List<Channel> channels, Load load, int echoes) throws InterruptedException {
        int atOnce = channels.size() * load.underWay();
        AtomicInteger left = new AtomicInteger(echoes - atOnce);
        CountDownLatch done = new CountDownLatch(atOnce);
        long start = System.nanoTime();
        for (Channel channel : channels) {
            Sender sender = new Sender(load.bytes(), left, done);
            channel.pipeline().addLast(sender);
            channel.eventLoop().execute(() -> {
                for (int i = 0; i < load.underWay(); i++) {
                    sender.send(channel);
                }
            });
        }
        done.await();
        double perSecond = echoes * NANOS_PER_SECOND / (System.nanoTime() - start);
        for (Channel channel : channels) {
            channel.pipeline().remove(Sender.class);
        }
        return perSecond;
    }

    @Sharable
    static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message, context.voidPromise());
        }
    }

    /** Sends the next message when another has come back. */
    private static final class Sender extends ChannelInboundHandlerAdapter {
        private final int size;
        private final AtomicInteger left;
        private final CountDownLatch done;
        private int received;

        Sender(int size, AtomicInteger left, CountDownLatch done) {
            this.size = size;
            this.left = left;
            this.done = done;
        }

        void send(Channel channel) {
            ByteBuf message = channel.alloc().directBuffer(size).writeZero(size);
            channel.writeAndFlush(message, channel.voidPromise());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            received += bytes.readableBytes();
            bytes.release();
            for (; received >= size; received -= size) {
                if (left.getAndDecrement() > 0) {
                    send(context.channel());
                } else {
                    done.countDown();
                }
            }
        }
    }
}
