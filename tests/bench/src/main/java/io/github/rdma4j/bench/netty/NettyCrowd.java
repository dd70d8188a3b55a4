// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.netty;

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
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many connections of Netty in one process, both ends of each: how many are made in a second, what an idle end takes of the
 * process and of the machine, and how many echoes they carry, every byte compared.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
public final class NettyCrowd {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int KIB = 1024;

    private NettyCrowd() {}

    /** Arguments: address, port, a {@link NettyEchoes.Way}, connections, connects at a time, bytes of an echo. */
    public static void main(String[] arguments) throws Exception {
        InetSocketAddress address = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        NettyEchoes.Transport transport = NettyEchoes.Transport.of(NettyEchoes.Way.valueOf(arguments[2]));
        int count = Integer.parseInt(arguments[3]);
        int atOnce = Integer.parseInt(arguments[4]);
        int bytes = Integer.parseInt(arguments[5]);
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, transport.handlers());
        Channel server = new ServerBootstrap()
                .group(group)
                .channelFactory(transport.server())
                .option(ChannelOption.SO_BACKLOG, 2 * atOnce)
                .childHandler(new NettyEchoes.Echo())
                .bind(address)
                .sync()
                .channel();
        Bootstrap bootstrap = new Bootstrap()
                .group(group)
                .channelFactory(transport.client())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 120_000)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new Comparer());
                    }
                })
                .remoteAddress(address);
        List<Channel> channels = new ArrayList<>();
        connect(bootstrap, channels, 10, 1);
        echo(channels, bytes, 200);
        memory("before");
        long start = System.nanoTime();
        connect(bootstrap, channels, count + 10, atOnce);
        System.out.printf("connects_per_second %.0f%n", count * NANOS_PER_SECOND / (System.nanoTime() - start));
        memory("connected");
        for (int talking : new int[] {10, 1000, count}) {
            if (talking <= count) {
                System.out.printf("echoes_%d %.0f%n", talking, echo(channels.subList(10, 10 + talking), bytes, Math.max(2, 20_000 / talking)));
            }
        }
        memory("idle");
        System.out.println("channels active " + channels.stream().filter(Channel::isActive).count());
        server.close().sync();
        System.exit(0);
    }

    private static void connect(Bootstrap bootstrap, List<Channel> channels, int count, int atOnce) throws Exception {
        ArrayDeque<ChannelFuture> pending = new ArrayDeque<>();
        while (channels.size() < count) {
            while (pending.size() < atOnce && pending.size() + channels.size() < count) {
                pending.add(bootstrap.connect());
            }
            channels.add(pending.remove().sync().channel());
        }
    }

    private static double echo(List<Channel> channels, int bytes, int rounds) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(channels.size());
        long start = System.nanoTime();
        for (Channel channel : channels) {
            Comparer comparer = channel.pipeline().get(Comparer.class);
            channel.eventLoop().execute(() -> comparer.start(channel, bytes, rounds, done));
        }
        done.await();
        return channels.size() * rounds * NANOS_PER_SECOND / (System.nanoTime() - start);
    }

    private static void memory(String when) throws IOException, InterruptedException {
        System.gc();
        Thread.sleep(300);
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        System.out.println("memory " + when + " rss " + line("/proc/self/status", "VmRSS:") + " used "
                + (line("/proc/meminfo", "MemTotal:") - line("/proc/meminfo", "MemAvailable:")) + " heap "
                + (runtime.totalMemory() - runtime.freeMemory()) / KIB + " locked " + line("/proc/self/status", "VmPin:"));
    }

    private static long line(String file, String key) throws IOException {
        return Files.readAllLines(Path.of(file)).stream()
                .filter(line -> line.startsWith(key))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
    }

    /** Sends messages of a running pattern, one after the other, and compares what comes back. */
    private static final class Comparer extends ChannelInboundHandlerAdapter {
        private int bytes;
        private int left;
        private int received;
        private int next;
        private int expected;
        private CountDownLatch done = new CountDownLatch(0);

        void start(Channel channel, int size, int rounds, CountDownLatch latch) {
            bytes = size;
            left = rounds;
            done = latch;
            send(channel);
        }

        private void send(Channel channel) {
            left--;
            ByteBuf message = channel.alloc().directBuffer(bytes);
            for (int i = 0; i < bytes; i++) {
                message.writeByte(next++);
            }
            channel.writeAndFlush(message, channel.voidPromise());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf read = (ByteBuf) message;
            while (read.isReadable()) {
                if (read.readByte() != (byte) expected++) {
                    System.out.println("a byte differs");
                    System.exit(1);
                }
                received++;
            }
            read.release();
            if (received == bytes) {
                received = 0;
                if (left > 0) {
                    send(context.channel());
                } else {
                    done.countDown();
                }
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
            failure.printStackTrace();
            System.exit(1);
        }
    }
}
