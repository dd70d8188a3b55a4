// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.libc.SocketCalls;
import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several threads use a channel whose descriptor tells of events once: none loses what another has taken. */
@Timeout(60)
public abstract class SharedStreamScenarios {
    private static final int MESSAGES = 200;
    private static final int MESSAGE = 1 << 16;

    private final SelectorProvider provider;
    private final InetAddress host;
    private final ByteBuffer big = ByteBuffer.allocateDirect(1 << 20);

    @AutoClose
    private Pair pair;

    protected SharedStreamScenarios(SelectorProvider provider, InetAddress host) {
        this.provider = provider;
        this.host = host;
    }

    @BeforeEach
    void connect() throws IOException {
        pair = Pair.open(provider, host);
    }

    /** Fills the buffers, until nothing happens any more and no event is pending. They have their full size then. */
    private Source full() throws IOException {
        ByteBuffer some = ByteBuffer.allocateDirect(1 << 15);
        while (some.hasRemaining()) {
            assertThat(pair.client().write(some)).isNotNegative();
        }
        some.clear();
        while (some.hasRemaining()) {
            assertThat(pair.server().read(some)).isPositive();
        }
        assertThat(pair.client().configureBlocking(false)).isSameAs(pair.client());
        Source source = ((StreamSocketChannel) pair.client()).source();
        do {
            source.taken();
        } while (pair.client().write(big.clear()) > 0 || source.readiness() != 0 || !source.arm(SocketCalls.POLLOUT));
        return source;
    }

    @Test
    void bytesThatAWriterTakesWakeAReader() throws IOException {
        Source source = full();
        assertThat(source.readiness()).isZero();
        assertThat(pair.server().write(Pair.bytes("x"))).isEqualTo(1);
        // A stream that grows may take more.
        while (source.readiness() != SocketCalls.POLLIN) {
            assertThat(pair.client().write(big.clear())).isNotNegative();
        }
        assertThat(source.arm(SocketCalls.POLLIN)).isFalse();
    }

    @Test
    void roomThatAReaderTakesWakesAWriter() throws IOException {
        Source source = full();
        assertThat(source.readiness()).isZero();
        ByteBuffer into = ByteBuffer.allocateDirect(1 << 16);
        while ((source.readiness() & SocketCalls.POLLOUT) == 0) {
            assertThat(pair.server().configureBlocking(false).isBlocking()).isFalse();
            assertThat(pair.server().read(into.clear())).isNotNegative();
            assertThat(pair.client().read(into.clear())).isZero();
        }
        assertThat(source.arm(SocketCalls.POLLOUT)).isFalse();
        assertThat(source.arm(SocketCalls.POLLIN)).isTrue();
    }

    /** One thread writes messages, and another reads an answer to each. */
    @Test
    void aWriterAndAReaderOfABlockingChannelBothGoOn() throws Exception {
        Await.Running<Integer> server = Pair.blocked(() -> serve(pair.server()));
        Await.Running<Integer> reader = Pair.blocked(() -> readAnswers(pair.client()));
        ByteBuffer message = ByteBuffer.allocateDirect(MESSAGE);
        for (int i = 0; i < MESSAGES; i++) {
            message.clear();
            while (message.hasRemaining()) {
                assertThat(pair.client().write(message)).isPositive();
            }
        }
        assertThat(reader.result()).isEqualTo(MESSAGES);
        assertThat(server.result()).isEqualTo(MESSAGES);
    }

    private static int serve(SocketChannel channel) throws IOException {
        ByteBuffer message = ByteBuffer.allocateDirect(MESSAGE);
        for (int i = 0; i < MESSAGES; i++) {
            message.clear();
            while (message.hasRemaining()) {
                assertThat(channel.read(message)).isPositive();
            }
            assertThat(channel.write(ByteBuffer.allocate(1))).isEqualTo(1);
        }
        return MESSAGES;
    }

    private static int readAnswers(SocketChannel channel) throws IOException {
        ByteBuffer answers = ByteBuffer.allocate(MESSAGES);
        while (answers.hasRemaining()) {
            assertThat(channel.read(answers)).isPositive();
        }
        return answers.position();
    }
}
