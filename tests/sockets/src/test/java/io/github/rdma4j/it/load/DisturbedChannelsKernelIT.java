// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.nio.OverRdma;
import io.github.rdma4j.it.support.RequiresTwoNodes;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.testbed.junit.RequiresKernel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Channels of NIO between two kernels whose Ethernet is cut. For the kernels see {@link DisturbedWireKernelIT}. */
@RequiresTwoNodes
@RequiresKernel("7.2")
@SuppressWarnings("NullAway.Init")
class DisturbedChannelsKernelIT {
    private static final InetSocketAddress SERVER = new InetSocketAddress(SecondNode.ADDRESS, 7490);
    private static final int PIECE = 10_000;
    private static final String CUT = "loss 100%";

    private static Program server;

    /** The program on the second node: sends back what comes. */
    static final class Server {
        private Server() {}

        public static void main(String[] none) throws Exception {
            ServerSocketChannel listener =
                    OverRdma.PROVIDER.openServerSocketChannel().bind(SERVER);
            System.out.println("listening");
            while (true) {
                SocketChannel channel = listener.accept();
                new Thread(() -> echo(channel)).start();
            }
        }

        private static void echo(SocketChannel accepted) {
            long read = 0;
            try (SocketChannel channel = accepted) {
                ByteBuffer bytes = ByteBuffer.allocateDirect(PIECE);
                while (channel.read(bytes.clear()) >= 0) {
                    read += bytes.position();
                    channel.write(bytes.flip());
                }
            } catch (IOException e) {
                System.out.println("ended: " + e);
            } finally {
                System.out.println("over after " + read + " bytes");
            }
        }
    }

    @BeforeAll
    static void startServer() throws Exception {
        server = SecondNode.start(Program.java(Server.class));
        server.awaitOutput("listening");
        Await.until("the node answers", DisturbedChannelsKernelIT::isReachable);
    }

    /** The kernel asks three times for the address of the other node, and guests that begin may miss all three. */
    private static boolean isReachable() {
        try (SocketChannel channel = OverRdma.PROVIDER.openSocketChannel()) {
            return channel.connect(SERVER);
        } catch (IOException e) {
            return false;
        }
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    private static SocketChannel connect() throws IOException {
        SocketChannel channel = OverRdma.PROVIDER.openSocketChannel();
        channel.connect(SERVER);
        return channel;
    }

    /** Not before the wire is cut: on a busy machine the other node may take a second to answer. */
    private static void keepAlive(SocketChannel channel) throws IOException {
        channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 1)
                .setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, 1)
                .setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, 1)
                .setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    }

    private static void fill(SocketChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(PIECE);
        do {
            bytes.clear();
        } while (channel.write(bytes) > 0);
    }

    private static void assertTimedOut(IoCall first, SocketChannel channel) {
        assertThatThrownBy(first::run).isExactlyInstanceOf(IOException.class).hasMessage("Connection timed out");
        assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1))).hasMessage("Broken pipe");
    }

    private interface IoCall {
        void run() throws IOException;
    }

    @Test
    void aSelectorFindsTheChannelsOfADeadHost() throws Exception {
        try (Selector selector = OverRdma.PROVIDER.openSelector();
                SocketChannel reader = connect();
                SocketChannel writer = connect()) {
            SelectionKey reading = reader.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            writer.configureBlocking(false);
            SecondNode.disturb(CUT);
            try {
                keepAlive(reader);
                keepAlive(writer);
                fill(writer);
                SelectionKey writing = writer.register(selector, SelectionKey.OP_WRITE);
                Set<SelectionKey> found = new HashSet<>();
                while (found.size() < 2) {
                    assertThat(selector.select(key -> {
                                found.add(key);
                                key.interestOps(0);
                            }))
                            .isPositive();
                }
                assertThat(reading.isReadable()).isTrue();
                assertThat(writing.isWritable()).isTrue();
                assertTimedOut(() -> reader.read(ByteBuffer.allocate(1)), reader);
                assertTimedOut(() -> writer.write(ByteBuffer.allocate(1)), writer);
            } finally {
                SecondNode.calm();
            }
        }
    }

    /** As over TCP, the time of SO_LINGER is that of the thread that closes, and not that of the bytes. */
    @Test
    void whatWasWrittenArrivesAfterACloseThatHasLingeredInVain() throws Exception {
        try (SocketChannel channel = connect()) {
            channel.setOption(StandardSocketOptions.SO_LINGER, 1);
            SecondNode.disturb(CUT);
            assertThat(channel.write(ByteBuffer.allocate(4321))).isEqualTo(4321);
        } finally {
            SecondNode.calm();
        }
        server.awaitOutput("over after 4321 bytes");
    }

    /** What was written, or read. */
    private record Sum(long bytes, long checksum) {}

    private static Sum write(SocketChannel channel, AtomicBoolean over) throws IOException {
        byte[] content = new byte[PIECE];
        CRC32C checksum = new CRC32C();
        Random random = new Random(1);
        long total = 0;
        while (!over.get()) {
            random.nextBytes(content);
            checksum.update(content);
            total += channel.write(ByteBuffer.wrap(content));
        }
        channel.shutdownOutput();
        return new Sum(total, checksum.getValue());
    }

    private static Sum read(SocketChannel channel, AtomicLong bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE);
        CRC32C checksum = new CRC32C();
        while (channel.read(buffer) >= 0) {
            bytes.addAndGet(buffer.position());
            checksum.update(buffer.flip());
            buffer.clear();
        }
        return new Sum(bytes.get(), checksum.getValue());
    }

    @Test
    void nothingIsLostWhileTheWireIsCutForATime() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong received = new AtomicLong();
        try (SocketChannel channel = OverRdma.PROVIDER.openSocketChannel()) {
            assertThat(channel.connect(SERVER)).isTrue();
            Await.Running<Sum> writing = Await.inThread(() -> write(channel, over));
            Await.Running<Sum> reading = Await.inThread(() -> read(channel, received));
            Await.until("bytes come", () -> received.get() > 20 * PIECE);
            long disorder = SecondNode.disorder();
            SecondNode.disturb(CUT);
            try {
                while (SecondNode.disorder() == disorder) {
                    Thread.onSpinWait();
                }
            } finally {
                SecondNode.calm();
            }
            over.set(true);
            assertThat(reading.result()).isEqualTo(writing.result());
        }
    }
}
