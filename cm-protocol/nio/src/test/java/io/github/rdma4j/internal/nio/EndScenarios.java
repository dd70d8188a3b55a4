// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How connections of any provider end, and what becomes of their bytes. */
@Timeout(120)
public abstract class EndScenarios {
    private static final int ALMOST_FULL = 60_000;

    private final SelectorProvider provider;
    private final InetAddress host;

    @AutoClose
    private Pair pair;

    protected EndScenarios(SelectorProvider provider, InetAddress host) {
        this.provider = provider;
        this.host = host;
    }

    @BeforeEach
    void connect() throws IOException {
        pair = Pair.open(provider, host);
    }

    /** Reads to the end of the stream. */
    private static ByteBuffer readAll(SocketChannel channel) throws IOException {
        ByteBuffer read = ByteBuffer.allocate(2 * ALMOST_FULL);
        while (channel.read(read) >= 0) {
            assertThat(read.hasRemaining()).isTrue();
        }
        return read.flip();
    }

    private static ByteBuffer pattern() {
        ByteBuffer bytes = ByteBuffer.allocate(ALMOST_FULL);
        for (int i = 0; i < ALMOST_FULL; i++) {
            bytes.put(i, (byte) (i * 7 + i / 251));
        }
        return bytes;
    }

    @Test
    void whatWasWrittenBeforeACloseIsReadBeforeTheEnd() throws IOException {
        assertThat(pair.client().write(pattern())).isEqualTo(ALMOST_FULL);
        pair.client().close();
        assertThat(readAll(pair.server())).isEqualTo(pattern());
    }

    @Test
    void soIsWhatAChannelWroteThatASelectorStillHas() throws IOException {
        assertThat(pair.client().write(pattern())).isEqualTo(ALMOST_FULL);
        try (Selector selector = provider.openSelector()) {
            SelectionKey key = pair.client().configureBlocking(false).register(selector, SelectionKey.OP_READ);
            assertThat(selector.selectNow()).isZero();
            pair.client().close();
            assertThat(key.isValid()).isFalse();
            assertThat(readAll(pair.server())).isEqualTo(pattern());
        }
    }

    @Test
    void bothOutputsEndEachAfterItsBytes() throws IOException {
        assertThat(pair.client().write(pattern())).isEqualTo(ALMOST_FULL);
        assertThat(pair.server().write(pattern())).isEqualTo(ALMOST_FULL);
        assertThat(pair.client().shutdownOutput()).isSameAs(pair.client());
        assertThat(pair.server().shutdownOutput()).isSameAs(pair.server());
        assertThat(readAll(pair.server())).isEqualTo(pattern());
        assertThat(readAll(pair.client())).isEqualTo(pattern());
        assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
        assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    /** A server that answers before it is asked, "busy" for example, and closes. */
    @Test
    void anAnswerIsReadThoughTheRequestComesAfterTheEnd() throws IOException {
        assertThat(pair.server().write(pattern())).isEqualTo(ALMOST_FULL);
        pair.server().close();
        awaitBytes();
        assertThat(pair.client().write(ByteBuffer.allocate(10))).isEqualTo(10);
        assertThat(readAll(pair.client())).isEqualTo(pattern());
        assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    private void awaitBytes() throws IOException {
        while (pair.client().socket().getInputStream().available() < ALMOST_FULL) {
            Thread.onSpinWait();
        }
    }

    @Test
    void afterTheEndWritesFailAndBytesAreRead() throws IOException {
        assertThat(pair.server().write(pattern())).isEqualTo(ALMOST_FULL);
        pair.server().close();
        IOException failure = null;
        while (failure == null) {
            failure = failure();
        }
        assertThat(failure).hasMessageMatching("Broken pipe|Connection reset.*");
        assertThat(readAll(pair.client())).isEqualTo(pattern());
    }

    private @Nullable IOException failure() {
        try {
            int unused = pair.client().write(ByteBuffer.allocate(1));
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    @Test
    void theEndIsReadableInASelectorUntilTheInterestEnds() throws IOException {
        try (Selector selector = provider.openSelector()) {
            SelectionKey key = pair.client().configureBlocking(false).register(selector, SelectionKey.OP_READ);
            pair.server().close();
            for (int i = 0; i < 2; i++) {
                assertThat(selector.select()).isEqualTo(1);
                assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-1);
                selector.selectedKeys().clear();
            }
            assertThat(key.interestOps(0).interestOps()).isZero();
            assertThat(selector.selectNow()).isZero();
        }
    }

    @Test
    void aCloseThatLingersReturnsThoughThePeerDoesNotRead() throws IOException {
        assertThat(pair.client().configureBlocking(false).isBlocking()).isFalse();
        ByteBuffer source = ByteBuffer.allocateDirect(1 << 20);
        while (pair.client().write(source) > 0) {
            source.clear();
        }
        assertThat(pair.client().configureBlocking(true).isBlocking()).isTrue();
        assertThat(pair.client().setOption(StandardSocketOptions.SO_LINGER, 1)).isSameAs(pair.client());
        pair.client().close();
        assertThat(pair.client().isOpen()).isFalse();
    }

    @Test
    void theEndOfTheOutputEndsAWriteOfAnotherThreadWithWhatItHasWritten() throws Exception {
        ByteBuffer source = ByteBuffer.allocateDirect(64 << 20);
        Await.Running<Integer> writer = Pair.blocked(() -> pair.client().write(source));
        // Until now the thread may be on its way into the kernel.
        assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(1);
        assertThat(pair.client().shutdownOutput()).isSameAs(pair.client());
        assertThat(writer.result()).isPositive().isEqualTo(source.position()).isLessThan(source.capacity());
        assertThat(pair.client().isOpen()).isTrue();
    }

    @Test
    void anInterruptEndsAWriteAndClosesTheChannel() throws Exception {
        Await.Running<Integer> writer = Pair.blocked(() -> {
            while (true) {
                assertThat(pair.client().write(ByteBuffer.allocateDirect(1 << 20)))
                        .isNotNegative();
            }
        });
        writer.thread().interrupt();
        assertThat(writer.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
        assertThat(pair.client().isOpen()).isFalse();
    }
}
