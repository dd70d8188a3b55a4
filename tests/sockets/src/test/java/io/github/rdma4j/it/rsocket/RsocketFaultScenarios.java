// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.OpenResources;
import io.github.rdma4j.it.support.RemovableLink;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.support.Seeds;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Peers that are killed, a device that goes, and streams that nobody closes. */
abstract class RsocketFaultScenarios {
    static final int BYTES = 100_000;

    /** What rdma(8) calls the type of the device. */
    abstract String deviceType();

    static RsocketListener listener() throws RdmaException {
        return RsocketListener.listen(new InetSocketAddress(Rxe.IPV4, 0));
    }

    /** The other process: writes for ever, and reads nothing. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] port) throws Exception {
            RsocketChannel channel = RsocketChannel.connect(new InetSocketAddress(Rxe.IPV4, Integer.parseInt(port[0])));
            while (true) {
                channel.write(ByteBuffer.allocate(BYTES));
            }
        }
    }

    /** Uses the channel until it fails, and counts the bytes. */
    static IOException use(RsocketChannel channel, boolean write, AtomicLong bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
        try {
            while (true) {
                int done = write ? channel.write(buffer) : channel.read(buffer);
                if (done <= 0) {
                    return new IOException("ends with " + done);
                }
                bytes.addAndGet(done);
                buffer.clear();
            }
        } catch (IOException expected) {
            return expected;
        }
    }

    static void assertReset(IOException failure) {
        assertThat(failure).isInstanceOf(SocketException.class).hasMessageStartingWith("Connection reset");
    }

    @Test
    void aJavaPeerIsKilledWhileBothSidesAreBusy() throws Exception {
        AtomicLong read = new AtomicLong();
        try (RsocketListener listener = listener();
                Program peer = Program.start(Program.java(
                        Writer.class, Integer.toString(listener.localAddress().getPort())));
                RsocketChannel channel = listener.accept(Await.LIMIT).orElseThrow()) {
            Await.Running<IOException> writing = Await.inThread(() -> use(channel, true, new AtomicLong()));
            Await.Running<IOException> reading = Await.inThread(() -> use(channel, false, read));
            writing.untilAsleep();
            Await.until("the peer writes", () -> read.get() > BYTES);
            peer.kill();
            assertReset(reading.result());
            assertReset(writing.result());
        }
    }

    @Test
    void aCPeerIsKilledWhileThisSideWaits() throws Exception {
        try (RsocketListener listener = listener();
                Program peer = Program.start(
                        "rstream",
                        "-s",
                        Rxe.IPV4,
                        "-p",
                        Integer.toString(listener.localAddress().getPort()),
                        "-S",
                        "64",
                        "-C",
                        "10",
                        "-I",
                        "10",
                        "-T",
                        "b");
                RsocketChannel channel = listener.accept(Await.LIMIT).orElseThrow()) {
            ByteBuffer hello = ByteBuffer.allocate(16);
            while (hello.hasRemaining()) {
                assertThat(channel.read(hello)).isPositive();
            }
            Await.Running<IOException> reading = Await.inThread(() -> use(channel, false, new AtomicLong()));
            reading.untilAsleep();
            peer.kill();
            assertReset(reading.result());
        }
    }

    @Test
    void theDeviceGoesUnderTraffic() throws Exception {
        try (RemovableLink link = RemovableLink.make(deviceType());
                RsocketListener listener = RsocketListener.listen(new InetSocketAddress(RemovableLink.ADDRESS, 0));
                RsocketChannel client = RsocketChannel.connect(listener.localAddress());
                RsocketChannel server = listener.accept(Await.LIMIT).orElseThrow()) {
            AtomicLong bytes = new AtomicLong();
            List<Await.Running<IOException>> threads = List.of(
                    Await.inThread(() -> use(client, true, new AtomicLong())),
                    Await.inThread(() -> use(server, false, bytes)),
                    Await.inThread(() -> use(client, false, new AtomicLong())));
            Await.until("traffic", () -> bytes.get() > 10 * BYTES);
            Await.Running<Object> accepting = Await.inThread(listener::accept);
            accepting.untilAsleep();
            // The kernel waits for everybody to let go of the device: nobody has closed a channel here.
            link.remove();
            for (Await.Running<IOException> thread : threads) {
                assertReset(thread.result());
            }
            assertThat(accepting.failure())
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("the listener has ended");
        }
    }

    /** A stream takes its larger buffers when it is used for the first time. */
    @Test
    void theDeviceGoesWhileStreamsGrow() throws Exception {
        try (RemovableLink link = RemovableLink.make(deviceType());
                RsocketListener listener = RsocketListener.listen(new InetSocketAddress(RemovableLink.ADDRESS, 0))) {
            List<RsocketChannel> channels = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                channels.add(RsocketChannel.connect(listener.localAddress()));
                channels.add(listener.accept(Await.LIMIT).orElseThrow());
            }
            List<Await.Running<IOException>> threads = new ArrayList<>();
            for (RsocketChannel channel : channels) {
                threads.add(Await.inThread(() -> use(channel, true, new AtomicLong())));
                threads.add(Await.inThread(() -> use(channel, false, new AtomicLong())));
            }
            link.remove();
            for (Await.Running<IOException> thread : threads) {
                assertReset(thread.result());
            }
            for (RsocketChannel channel : channels) {
                channel.close();
            }
        }
    }

    /** Each time after another number of bytes, so that the close meets the larger buffers while they are made and offered. */
    @ParameterizedTest
    @Seeds
    void aCloseWhileStreamsGrowLeavesNothing(long seed) throws Exception {
        Random random = new Random(seed);
        long before = memoryRegions();
        for (int i = 0; i < 20; i++) {
            try (RsocketListener listener = listener();
                    RsocketChannel client = RsocketChannel.connect(listener.localAddress());
                    RsocketChannel server = listener.accept(Await.LIMIT).orElseThrow()) {
                AtomicLong bytes = new AtomicLong();
                List<Await.Running<IOException>> threads = List.of(
                        Await.inThread(() -> use(client, true, new AtomicLong())),
                        Await.inThread(() -> use(server, false, bytes)),
                        Await.inThread(() -> use(server, true, new AtomicLong())),
                        Await.inThread(() -> use(client, false, new AtomicLong())));
                long enough = random.nextInt(BYTES / 2);
                Await.until("bytes", () -> bytes.get() >= enough);
                List<? extends AutoCloseable> first = random.nextInt(3) == 0
                        ? List.of(listener, client)
                        : List.of(random.nextBoolean() ? client : server);
                for (AutoCloseable one : first) {
                    one.close();
                }
                for (Await.Running<IOException> thread : threads) {
                    assertThat(thread.result()).isNotNull();
                }
            }
        }
        Await.until("the memory is deregistered", () -> {
            try {
                return memoryRegions() <= before;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** The regions of all devices, as the kernel counts them. */
    private static long memoryRegions() throws InterruptedException {
        return Pattern.compile(" mr (\\d+)")
                .matcher(Program.run("rdma", "resource", "show"))
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }

    private static RsocketChannel abandonTheClient(RsocketListener listener) throws Exception {
        RsocketChannel unused = RsocketChannel.connect(listener.localAddress());
        unused.write(ByteBuffer.allocate(BYTES));
        return listener.accept(Await.LIMIT).orElseThrow();
    }

    private static InetSocketAddress abandonAListener() throws RdmaException {
        return listener().localAddress();
    }

    @Test
    void aStreamThatNobodyClosedDeliversItsBytesAndEnds() throws Exception {
        int before = OpenResources.now().size();
        AtomicLong bytes = new AtomicLong();
        try (RsocketListener listener = listener();
                RsocketChannel server = abandonTheClient(listener)) {
            Await.Running<IOException> reading = Await.inThread(() -> use(server, false, bytes));
            Await.until("what is garbage is closed", () -> {
                System.gc();
                return reading.isDone();
            });
            assertThat(reading.result()).hasMessage("ends with -1");
        }
        assertThat(bytes.get()).isEqualTo(BYTES);
        Await.until("all is closed", () -> OpenResources.now().size() <= before);
    }

    @Test
    void aListenerThatNobodyClosedIsClosed() throws Exception {
        InetSocketAddress address = abandonAListener();
        Await.until("what is garbage is closed", () -> {
            System.gc();
            return !listens(address);
        });
    }

    private static boolean listens(InetSocketAddress address) {
        try (RsocketChannel connected = RsocketChannel.connect(address)) {
            return connected.isOpen();
        } catch (IOException | InterruptedException refused) {
            return false;
        }
    }
}
