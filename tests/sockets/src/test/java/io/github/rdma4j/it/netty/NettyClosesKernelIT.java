// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.netty.transport.RdmaSocketChannel;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Cases;
import io.github.rdma4j.support.Seeds;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A close delivers what was flushed before, however it comes, as over TCP: each program runs over TCP too. Only what the end of
 * a group does is not compared: with Netty's own channels a peer was seen that got no end.
 */
@RequiresKernel
@ExtendWith(Leaks.class)
@SuppressWarnings({"FutureReturnValueIgnored", "NullAway.Init"}) // each future is looked at in the end
class NettyClosesKernelIT {
    private static final int CASES = 15;

    /** What a channel takes although nobody reads: less than {@code SO_SNDBUF}. */
    private static final int MOST_BYTES = 110_000;

    @TempDir
    static Path folder;

    private static Path file;

    /** How the program ends its output. */
    private enum End {
        CLOSE,
        DISCONNECT,
        SHUTDOWN_OUTPUT,
        SHUTDOWN_THEN_CLOSE,
        EXCEPTION,
        GROUP
    }

    /** When the peer reads. */
    private enum Reader {
        EARLY,
        NOW_AND_THEN,
        AFTER_THE_END
    }

    /** A program. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Script(
            int[] lengths, int[] kinds, boolean[] flushes, boolean inLoop, End end, int linger, Reader reader) {
        private static final List<End> ENDS = List.of(End.values());
        private static final List<Reader> READERS = List.of(Reader.values());

        static Script draw(Random random) {
            int most = 1 + random.nextInt(1 << (1 + random.nextInt(9)));
            int largest = 1 << random.nextInt(15);
            List<Integer> lengths = new ArrayList<>();
            int left = MOST_BYTES;
            for (int i = 0; i < most && left > 0; i++) {
                int length = Math.min(left, 1 + random.nextInt(largest));
                lengths.add(length);
                left -= length;
            }
            int count = lengths.size();
            int allKinds = random.nextInt(3);
            int oftenFlushes = random.nextInt(3);
            int[] kinds = new int[count];
            boolean[] flushes = new boolean[count];
            for (int i = 0; i < count; i++) {
                kinds[i] = allKinds == 0 ? random.nextInt(5) : 0;
                flushes[i] = oftenFlushes > 0 || random.nextBoolean();
            }
            End end = ENDS.get(random.nextInt(ENDS.size()));
            return new Script(
                    lengths.stream().mapToInt(Integer::intValue).toArray(),
                    kinds,
                    flushes,
                    random.nextBoolean(),
                    end,
                    end != End.GROUP && random.nextInt(4) == 0 ? 10 : -1,
                    READERS.get(random.nextInt(READERS.size())));
        }

        int bytes() {
            int sum = 0;
            for (int length : lengths) {
                sum += length;
            }
            return sum;
        }

        @Override
        public String toString() {
            return lengths.length + " writes with " + bytes() + " bytes" + (inLoop ? " in the loop" : "") + ", " + end
                    + ", linger " + linger + ", read " + reader;
        }
    }

    /** The peer: compares what comes with a running pattern. */
    private static final class Peer extends SimpleChannelInboundHandler<ByteBuf> {
        private final Reader reader;
        private final CountDownLatch active = new CountDownLatch(1);
        private final CountDownLatch ended = new CountDownLatch(1);
        private final AtomicInteger count = new AtomicInteger();
        private volatile Throwable failure;
        private volatile ChannelHandlerContext context;

        Peer(Reader reader) {
            this.reader = reader;
        }

        @Override
        public void channelActive(ChannelHandlerContext made) {
            context = made;
            active.countDown();
            if (reader == Reader.NOW_AND_THEN) {
                later(made);
            }
        }

        private void later(ChannelHandlerContext of) {
            of.executor().schedule(of::read, 2, TimeUnit.MILLISECONDS);
        }

        void readNow() {
            context.read();
        }

        @Override
        protected void channelRead0(ChannelHandlerContext of, ByteBuf message) {
            int at = count.get();
            for (; message.isReadable(); at++) {
                if (message.readByte() != pattern(at)) {
                    failure = new AssertionError("byte " + at + " is another one");
                }
            }
            count.set(at);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext of) {
            if (reader == Reader.NOW_AND_THEN) {
                later(of);
            } else if (reader == Reader.AFTER_THE_END) {
                of.read();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext of, Throwable cause) {
            failure = cause;
        }

        @Override
        public void channelInactive(ChannelHandlerContext of) {
            ended.countDown();
        }
    }

    /** Closes the channel after an exception, as most programs do. */
    private static final class ClosesAfterExceptions extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    private static byte pattern(int at) {
        return (byte) (at * 7 + at / 251);
    }

    @BeforeAll
    static void writeTheFile() throws IOException {
        byte[] all = new byte[MOST_BYTES];
        for (int i = 0; i < all.length; i++) {
            all[i] = pattern(i);
        }
        file = Files.write(folder.resolve("pattern"), all);
    }

    private static Object message(Channel channel, int kind, int from, int length) {
        if (kind == 4) {
            return new DefaultFileRegion(file.toFile(), from, length);
        }
        ByteBuf whole;
        if (kind == 3 && channel instanceof RdmaSocketChannel rdma) {
            whole = rdma.registeredAlloc().directBuffer(length);
        } else {
            whole = kind == 0 ? Unpooled.buffer(length) : channel.alloc().directBuffer(length);
        }
        for (int i = 0; i < length; i++) {
            whole.writeByte(pattern(from + i));
        }
        if (kind != 2) {
            return whole;
        }
        CompositeByteBuf parts = channel.alloc().compositeBuffer();
        parts.addComponent(true, whole.readRetainedSlice(length / 2));
        return parts.addComponent(true, whole);
    }

    private static List<ChannelFuture> write(Channel channel, Script script) {
        List<ChannelFuture> written = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < script.lengths.length; i++) {
            Object message = message(channel, script.kinds[i], at, script.lengths[i]);
            written.add(script.flushes[i] ? channel.writeAndFlush(message) : channel.write(message));
            at += script.lengths[i];
        }
        channel.flush();
        return written;
    }

    private static void end(Channel channel, End end) {
        switch (end) {
            case CLOSE -> channel.close();
            case DISCONNECT -> channel.disconnect();
            case SHUTDOWN_OUTPUT -> ((SocketChannel) channel).shutdownOutput();
            case SHUTDOWN_THEN_CLOSE -> {
                ((SocketChannel) channel).shutdownOutput();
                channel.close();
            }
            case EXCEPTION -> channel.pipeline().fireExceptionCaught(new IOException("of the program"));
            case GROUP -> {
                // A thread that is none of the loops' ends them.
            }
        }
    }

    /** Runs a program; returns what the peer got, and how many writes succeeded. */
    private static String run(Transport transport, Script script) throws Exception {
        EventLoopGroup servers = transport.group(1);
        EventLoopGroup clients = transport.group(1);
        Peer peer = new Peer(script.reader);
        try {
            Channel server = Ends.bound(transport
                    .server(servers, peer)
                    .childOption(ChannelOption.AUTO_READ, script.reader == Reader.EARLY));
            Channel client = Ends.connected(
                    transport
                            .client(clients, new ClosesAfterExceptions())
                            .option(ChannelOption.SO_LINGER, script.linger),
                    server);
            await(peer.active, "the peer is not active");
            List<ChannelFuture> written = writeAndEnd(client, script);
            if (script.reader == Reader.AFTER_THE_END) {
                peer.readNow();
            }
            await(peer.ended, transport + ": no end at the peer, which has " + peer.count + " bytes of " + script);
            return peer.count + " bytes, " + succeeded(written) + " writes, " + peer.failure;
        } finally {
            clients.shutdownGracefully(0, 30, TimeUnit.SECONDS).sync();
            servers.shutdownGracefully(0, 30, TimeUnit.SECONDS).sync();
        }
    }

    private static void await(CountDownLatch latch, String otherwise) throws InterruptedException {
        if (!latch.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError(otherwise);
        }
    }

    private static List<ChannelFuture> writeAndEnd(Channel client, Script script) throws InterruptedException {
        List<ChannelFuture> written = new ArrayList<>();
        Runnable program = () -> {
            written.addAll(write(client, script));
            end(client, script.end);
        };
        if (script.inLoop) {
            client.eventLoop().submit(program).sync();
        } else {
            program.run();
        }
        if (script.end == End.GROUP) {
            // A loop that ends runs no tasks of others, such as a flush, before it closes its channels.
            client.eventLoop().submit(() -> {}).sync();
            client.eventLoop().parent().shutdownGracefully(0, 30, TimeUnit.SECONDS);
        }
        return written;
    }

    private static int succeeded(List<ChannelFuture> written) throws InterruptedException {
        int count = 0;
        for (ChannelFuture one : written) {
            count += one.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS) && one.isSuccess() ? 1 : 0;
        }
        return count;
    }

    @ParameterizedTest
    @Seeds
    void anyCloseDeliversAsTcpDoes(long seed) {
        Cases.run(seed, CASES, random -> {
            Script script = Script.draw(random);
            String right = script.bytes() + " bytes, " + script.lengths.length + " writes, null";
            for (Transport transport : script.end == End.GROUP ? Transport.OVER_RDMA : Transport.ALL) {
                assertThat(run(transport, script)).as(transport + ": " + script).isEqualTo(right);
            }
        });
    }

    /** A socket counts bytes. */
    @ParameterizedTest
    @EnumSource
    void manySmallWritesSucceedThoughNobodyReads(Transport transport) throws Exception {
        int count = 1_000;
        int[] lengths = new int[count];
        boolean[] flushes = new boolean[count];
        Arrays.fill(lengths, 10);
        Arrays.fill(flushes, true);
        Script script = new Script(lengths, new int[count], flushes, false, End.CLOSE, -1, Reader.AFTER_THE_END);
        assertThat(run(transport, script)).isEqualTo("10000 bytes, 1000 writes, null");
    }
}
