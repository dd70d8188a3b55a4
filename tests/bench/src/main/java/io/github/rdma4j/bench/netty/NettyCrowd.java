// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.netty;

import io.github.rdma4j.bench.turns.Turns;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;

/**
 * Many connections of Netty with both ends in this process: how many are made in a second, what an idle end takes, and how many
 * echoes they carry, every byte compared. The JVM has to touch its whole heap at its start (-XX:+AlwaysPreTouch), so that what
 * an end takes is what the process has grown by and what is used of the heap. Connections before, one after the other, have what
 * is compiled and loaded for all of them counted for none.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
public final class NettyCrowd {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double KIB = 1024;
    private static final int WARM_UP = 10;
    private static final int WARM_UP_CONNECTS = 500;
    private static final int WARM_UP_ROUNDS = 2_000;

    /** The echoes of all connections that talk at the same time. */
    private static final int ECHOES = 20_000;

    private static final int LEAST_ROUNDS = 10;

    private static final int LIMIT_MILLIS = 300_000;

    private final Bootstrap bootstrap;
    private final List<Channel> channels = new ArrayList<>();
    private final int bytes;

    private NettyCrowd(Bootstrap bootstrap, int bytes) {
        this.bootstrap = bootstrap;
        this.bytes = bytes;
    }

    /** Arguments: address, port, a {@link NettyEchoes.Way}, connections, connects at a time, bytes of an echo. */
    public static void main(String[] arguments) throws Exception {
        Turns.endOnFailure();
        InetSocketAddress address = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        NettyEchoes.Transport transport = NettyEchoes.Transport.of(NettyEchoes.Way.valueOf(arguments[2]));
        int atOnce = Integer.parseInt(arguments[4]);
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, transport.handlers());
        new ServerBootstrap()
                .group(group)
                .channelFactory(transport.server())
                .option(ChannelOption.SO_BACKLOG, 2 * atOnce)
                .childHandler(new NettyEchoes.Echo())
                .bind(address)
                .sync();
        Bootstrap clients = new Bootstrap()
                .group(group)
                .channelFactory(transport.client())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, LIMIT_MILLIS)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new Comparer());
                    }
                })
                .remoteAddress(address);
        new NettyCrowd(clients, Integer.parseInt(arguments[5])).measure(Integer.parseInt(arguments[3]), atOnce);
        System.exit(0);
    }

    private void measure(int count, int atOnce) throws Exception {
        for (int i = 0; i < WARM_UP_CONNECTS; i++) {
            connect(1, 1);
            double unused = echo(1, 1);
            channels.remove(0).close().sync();
        }
        connect(WARM_UP, 1);
        double unused = echo(WARM_UP, WARM_UP_ROUNDS);
        double before = kib();
        long start = System.nanoTime();
        connect(count, atOnce);
        System.out.println("connects " + (count - WARM_UP) * NANOS_PER_SECOND / (System.nanoTime() - start));
        System.out.println("echoes_10 " + echo(WARM_UP, ECHOES / WARM_UP));
        System.out.println("echoes_all " + echo(count, Math.max(LEAST_ROUNDS, ECHOES / count)));
        System.out.println("idle " + (kib() - before) / (2 * (count - WARM_UP)));
    }

    private void connect(int count, int atOnce) throws InterruptedException {
        Queue<ChannelFuture> pending = new ArrayDeque<>();
        while (channels.size() < count) {
            while (pending.size() < atOnce && pending.size() + channels.size() < count) {
                pending.add(bootstrap.connect());
            }
            channels.add(pending.remove().sync().channel());
        }
    }

    /** Echoes a second. */
    private double echo(int talking, int rounds) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(talking);
        long start = System.nanoTime();
        for (Channel channel : channels.subList(0, talking)) {
            Comparer comparer = channel.pipeline().get(Comparer.class);
            channel.eventLoop().execute(() -> comparer.start(channel, bytes, rounds, done));
        }
        done.await();
        return talking * rounds * NANOS_PER_SECOND / (System.nanoTime() - start);
    }

    /** The memory of the process and what is used of the heap. */
    @SuppressWarnings("DoNotCall") // what is used is what a collection leaves
    private static double kib() throws IOException {
        System.gc();
        double heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / KIB;
        return heap + Turns.residentKib();
    }

    /** Sends messages of a running pattern, one after the other, and compares what comes back. */
    private static final class Comparer extends ChannelInboundHandlerAdapter {
        private int size;
        private int left;
        private int received;
        private int sent;
        private int expected;
        private CountDownLatch done = new CountDownLatch(0);

        void start(Channel channel, int bytes, int rounds, CountDownLatch all) {
            size = bytes;
            left = rounds;
            done = all;
            send(channel);
        }

        private void send(Channel channel) {
            left--;
            ByteBuf message = channel.alloc().directBuffer(size);
            for (int i = 0; i < size; i++) {
                message.writeByte(sent++);
            }
            channel.writeAndFlush(message, channel.voidPromise());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf read = (ByteBuf) message;
            received += read.readableBytes();
            while (read.isReadable()) {
                if (read.readByte() != (byte) expected++) {
                    throw new IllegalStateException("byte " + (expected - 1) + " came back as another");
                }
            }
            read.release();
            if (received == size) {
                received = 0;
                if (left > 0) {
                    send(context.channel());
                } else {
                    done.countDown();
                }
            }
        }

        /** The program cannot go on. */
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
            failure.printStackTrace(System.out);
            System.exit(1);
        }
    }
}
