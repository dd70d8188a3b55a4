// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.it.support.LeastAllocation;
import io.github.rdma4j.it.support.RemovableLink;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.netty.RegisteredByteBufAllocator;
import io.github.rdma4j.netty.transport.RdmaWire;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.util.ResourceLeakDetector;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens to channels when the device goes, and what a message costs the heap. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
@RequiresKernel
class NettyFaultsKernelIT {
    private static final int SIZE = 64;

    /** What an echo may allocate: nothing, but for what the JVM does by itself. */
    private static final int BYTES = 1;

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "ANY")
    void theRemovalOfADeviceClosesItsChannelsAndNoOthers(RdmaWire wire) throws Exception {
        try (Ends ends = new Ends();
                RemovableLink link = RemovableLink.make()) {
            remove(ends, link, wire);
        }
    }

    private static void remove(Ends ends, RemovableLink link, RdmaWire wire) throws Exception {
        Channel staying = Ends.bound(ends.server(Echo::new));
        Recorder other = new Recorder();
        Channel unharmed = Ends.connected(ends.client(other, wire), staying);
        Recorder atServer = new Recorder();
        Recorder listening = new Recorder();
        Channel server = ends.server(() -> atServer)
                .handler(listening)
                .bind(new InetSocketAddress(RemovableLink.ADDRESS, 0))
                .sync()
                .channel();
        Recorder atClient = new Recorder();
        Channel client = Ends.connected(ends.client(atClient, wire), server);
        client.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {1})).sync();
        assertThat(atServer.bytes(1)).containsExactly(1);
        try (Program deletion = link.delete()) {
            deletion.success();
        }
        for (Recorder ended : List.of(atServer, atClient)) {
            ended.awaitInactive();
            assertThat(ended.failures())
                    .singleElement()
                    .satisfies(failure -> assertThat(failure).hasMessageStartingWith("Connection reset"));
        }
        listening.awaitInactive();
        assertThat(listening.failures()).hasSize(1);
        assertThat(server.isOpen()).isFalse();
        unharmed.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {7}));
        assertThat(other.bytes(1)).containsExactly(7);
    }

    /** Sends a message when the last has come back, and counts what the thread of the loop allocates. */
    private static final class Measured extends ChannelInboundHandlerAdapter {
        private final LeastAllocation allocation = new LeastAllocation();
        private int missing = SIZE;

        static void send(Channel channel) {
            ByteBuf message = channel.alloc().directBuffer(SIZE).writeZero(SIZE);
            channel.writeAndFlush(message, channel.voidPromise());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            missing -= ((ByteBuf) message).readableBytes();
            ((ByteBuf) message).release();
            if (missing == 0 && allocation.goesOn()) {
                missing = SIZE;
                send(context.channel());
            }
        }
    }

    /** Without Netty's detector of leaks, which remembers where every 128th buffer was allocated. */
    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "ANY")
    void anEchoAllocatesLittle(RdmaWire wire) throws Exception {
        ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        try (Ends ends = new Ends()) {
            assertThat(allocated(ends, wire)).isLessThanOrEqualTo((long) BYTES * LeastAllocation.ROUNDS);
        } finally {
            ResourceLeakDetector.setLevel(before);
        }
    }

    private static long allocated(Ends ends, RdmaWire wire) throws Exception {
        Channel server = Ends.bound(
                ends.server(PlainEcho::new).childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT));
        Measured measured = new Measured();
        Channel client = Ends.connected(
                ends.client(measured, wire).option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT), server);
        client.eventLoop().execute(() -> Measured.send(client));
        return measured.allocation.bytes();
    }

    /** The other process: writes for ever, and reads nothing. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) throws Exception {
            try (Ends ends = new Ends()) {
                Channel channel = Ends.connected(
                        ends.client(new ChannelInboundHandlerAdapter(), RdmaWire.valueOf(arguments[1])),
                        new InetSocketAddress(Rxe.IPV4, Integer.parseInt(arguments[0])));
                while (true) {
                    channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[100_000]))
                            .sync();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "ANY")
    void aPeerIsKilledWhileBothSidesWrite(RdmaWire wire) throws Exception {
        try (Ends ends = new Ends()) {
            Recorder recorder = new Recorder();
            InetSocketAddress at =
                    (InetSocketAddress) Ends.bound(ends.server(() -> recorder)).localAddress();
            try (Program peer =
                    Program.start(Program.java(Writer.class, Integer.toString(at.getPort()), wire.name()))) {
                Channel accepted = ends.accepted();
                ChannelFuture written = accepted.writeAndFlush(Unpooled.wrappedBuffer(new byte[10_000_000]));
                Await.until("the peer writes", () -> recorder.count() > 1_000_000);
                peer.kill();
                recorder.awaitInactive();
                assertThat(written.await().cause()).isInstanceOf(IOException.class);
                assertThat(recorder.failures())
                        .allSatisfy(failure -> assertThat(failure).hasMessageStartingWith("Connection reset"));
            }
        }
    }

    /** The other process: a server with few descriptors. */
    static final class Poor {
        private static final int FEW = 30;

        private Poor() {}

        /** A class in a folder takes a descriptor when it is loaded. */
        private static void loadAll(Class<?> some) throws Exception {
            Path source = Path.of(
                    some.getProtectionDomain().getCodeSource().getLocation().toURI());
            if (!Files.isDirectory(source)) {
                return;
            }
            try (Stream<Path> files = Files.walk(source)) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".class")).toList()) {
                    String name =
                            source.relativize(file).toString().replace('/', '.').replaceAll("\\.class$", "");
                    if (name.startsWith("io.github.rdma4j") && !name.endsWith("-info")) {
                        Class<?> unused = Class.forName(name, false, Poor.class.getClassLoader());
                    }
                }
            }
        }

        /** Takes all descriptors but a few; how many the JVM has open depends on its jars. */
        private static void leaveFew() throws IOException {
            Deque<FileInputStream> taken = new ArrayDeque<>();
            try {
                while (true) {
                    taken.push(new FileInputStream("/dev/null"));
                }
            } catch (IOException none) {
                for (int i = 0; i < FEW; i++) {
                    taken.pop().close();
                }
            }
        }

        public static void main(String[] port) throws Exception {
            for (Class<?> some : List.of(
                    RdmaWire.class,
                    RsocketChannel.class,
                    CmId.class,
                    RegisteredByteBufAllocator.class,
                    ProtectionDomain.class,
                    ErrnoException.class)) {
                loadAll(some);
            }
            try (Ends ends = new Ends()) {
                ends.server(Echo::new)
                        .handler(new ChannelInboundHandlerAdapter() {
                            @Override
                            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                                System.out.println("refuses by " + cause);
                            }
                        })
                        .bind(new InetSocketAddress(Rxe.IPV4, Integer.parseInt(port[0])))
                        .sync();
                leaveFew();
                System.out.println("serving");
                new CountDownLatch(1).await();
            }
        }
    }

    @Nightly
    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "ANY")
    void aServerWithoutDescriptorsRefusesClientsAndSaysWhy(RdmaWire wire) throws Exception {
        int port = Rxe.newPort();
        List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -n 400; exec \"$@\"", "sh"));
        command.addAll(Program.java(Poor.class, Integer.toString(port)));
        try (Ends ends = new Ends();
                Program server = Program.start(command)) {
            server.awaitOutput("serving");
            Deque<Channel> connected = new ArrayDeque<>();
            ChannelFuture next = connect(ends, new Recorder(), port, wire).await();
            while (next.isSuccess()) {
                connected.add(next.channel());
                next = connect(ends, new Recorder(), port, wire).await();
            }
            assertThat(next.cause())
                    .isInstanceOf(ConnectException.class)
                    .hasStackTraceContaining("the listener's side has no file descriptors left");
            server.awaitOutput("refuses by");
            assertThat(server.output()).contains("EMFILE");
            for (int i = 0; i < 5; i++) {
                connected.remove().close().sync();
            }
            Recorder recorder;
            do {
                recorder = new Recorder();
                next = connect(ends, recorder, port, wire).await();
            } while (!next.isSuccess()); // until the server has closed its ends
            next.channel().writeAndFlush(Unpooled.wrappedBuffer(new byte[] {3}));
            assertThat(recorder.bytes(1)).containsExactly(3);
        }
    }

    private static ChannelFuture connect(Ends ends, Recorder recorder, int port, RdmaWire wire) {
        return ends.client(recorder, wire)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Await.LIMIT.toMillis())
                .connect(new InetSocketAddress(Rxe.IPV4, port));
    }

    /** As {@link Echo}, without a promise for each message. */
    private static final class PlainEcho extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message, context.voidPromise());
        }
    }
}
