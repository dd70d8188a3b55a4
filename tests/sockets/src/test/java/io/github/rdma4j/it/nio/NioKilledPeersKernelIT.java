// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The process at the other end is killed while a thread reads or writes, and while a selector waits. */
@RequiresKernel
@SuppressWarnings("NullAway.Init")
class NioKilledPeersKernelIT {
    @AutoClose
    private ServerSocketChannel listener;

    @AutoClose
    private Program peer;

    /** The other process: connects, says hello, and then neither reads nor writes. */
    static final class Silent {
        private Silent() {}

        public static void main(String[] port) throws Exception {
            SocketChannel channel = OverRdma.PROVIDER.openSocketChannel();
            channel.connect(new InetSocketAddress(Rxe.IPV4, Integer.parseInt(port[0])));
            channel.write(ByteBuffer.wrap(new byte[] {1}));
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    @BeforeEach
    void open() throws Exception {
        listener = OverRdma.PROVIDER.openServerSocketChannel().bind(new InetSocketAddress(Rxe.IPV4, 0));
        InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
        peer = Program.start(Program.java(Silent.class, Integer.toString(address.getPort())));
    }

    private SocketChannel accept() throws IOException {
        SocketChannel channel = listener.accept();
        assertThat(channel.read(ByteBuffer.allocate(2))).isEqualTo(1);
        return channel;
    }

    /** Writes until the channel fails. */
    private static IOException write(SocketChannel channel) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 16);
        try {
            while (true) {
                assertThat(channel.write(bytes.clear())).isNotNegative();
            }
        } catch (IOException expected) {
            return expected;
        }
    }

    /** Writes whenever the selector finds the channel ready, until the channel fails. */
    private static IOException fill(SocketChannel channel, Selector selector) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 16);
        try {
            while (true) {
                assertThat(selector.select()).isEqualTo(1);
                selector.selectedKeys().clear();
                assertThat(channel.write(bytes.clear())).isNotNegative();
            }
        } catch (IOException expected) {
            return expected;
        }
    }

    private static void assertReset(SocketChannel channel) {
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1)))
                .isInstanceOf(IOException.class)
                .hasMessage("Connection reset");
        assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1)))
                .isInstanceOf(IOException.class)
                .hasMessage("Broken pipe");
    }

    @Test
    void aThreadThatReadsIsTold() throws Exception {
        try (SocketChannel channel = accept()) {
            Await.Running<Integer> reading = Await.inThread(() -> channel.read(ByteBuffer.allocate(1)));
            reading.untilAsleep();
            peer.kill();
            assertThat(reading.failure()).isInstanceOf(IOException.class).hasMessage("Connection reset");
            assertReset(channel);
        }
    }

    @Nightly
    @Test
    void aThreadThatWritesIsTold() throws Exception {
        try (SocketChannel channel = accept()) {
            Await.Running<IOException> writing = Await.inThread(() -> write(channel));
            writing.untilAsleep();
            peer.kill();
            assertThat(writing.result()).hasMessage("Connection reset");
            assertReset(channel);
        }
    }

    @Nightly
    @Test
    void aSelectorFindsTheReaderReady() throws Exception {
        try (SocketChannel channel = accept();
                Selector selector = OverRdma.PROVIDER.openSelector()) {
            SelectionKey key = channel.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            Await.Running<Integer> selecting = Await.inThread(selector::select);
            selecting.untilInside("epollWait");
            peer.kill();
            assertThat(selecting.result()).isEqualTo(1);
            assertThat(key.isReadable()).isTrue();
            assertReset(channel);
        }
    }

    @Test
    @SuppressWarnings("try") // closed early
    void aSelectorFindsTheWriterReadyAndGoesOn() throws Exception {
        try (SocketChannel channel = accept();
                Selector selector = OverRdma.PROVIDER.openSelector()) {
            channel.configureBlocking(false).register(selector, SelectionKey.OP_WRITE);
            Await.Running<IOException> filling = Await.inThread(() -> fill(channel, selector));
            filling.untilInside("epollWait");
            peer.kill();
            assertThat(filling.result()).hasMessage("Connection reset");
            channel.close();
            SelectionKey listening = listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
            try (SocketChannel next = OverRdma.PROVIDER.openSocketChannel()) {
                assertThat(next.connect(listener.getLocalAddress())).isTrue();
                selector.selectedKeys().clear();
                assertThat(selector.select()).isEqualTo(1);
                assertThat(listening.isAcceptable()).isTrue();
                listener.accept().close();
            }
        }
    }

    @Test
    void whatThePeerWroteBeforeIsReadAlthoughAWriteHasFailed() throws Exception {
        try (SocketChannel channel = listener.accept();
                Selector selector = OverRdma.PROVIDER.openSelector()) {
            Await.until("the byte is here", () -> available(channel) == 1);
            channel.configureBlocking(false).register(selector, SelectionKey.OP_WRITE);
            Await.Running<IOException> filling = Await.inThread(() -> fill(channel, selector));
            filling.untilInside("epollWait");
            peer.kill();
            assertThat(filling.result()).hasMessage("Connection reset");
            assertThat(channel.read(ByteBuffer.allocate(2))).isEqualTo(1);
            assertReset(channel);
        }
    }

    private static int available(SocketChannel channel) {
        try {
            return channel.socket().getInputStream().available();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Nightly
    @Test
    void aConnectionThatWaitsToBeAcceptedIsAcceptedAndThenReset() throws Exception {
        try (Selector selector = OverRdma.PROVIDER.openSelector()) {
            listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
            assertThat(selector.select()).isEqualTo(1);
        }
        peer.kill();
        listener.configureBlocking(true);
        try (SocketChannel channel = listener.accept()) {
            assertThatThrownBy(() -> {
                        ByteBuffer bytes = ByteBuffer.allocate(2);
                        while (channel.read(bytes) > 0) {
                            assertThat(bytes.position()).isEqualTo(1);
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessage("Connection reset");
        }
    }
}
