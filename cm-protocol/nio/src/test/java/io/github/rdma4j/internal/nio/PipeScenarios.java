// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What programs may expect of the pipes of any provider. */
@Timeout(120)
abstract class PipeScenarios {
    private final SelectorProvider provider;
    private Pipe pipe;

    PipeScenarios(SelectorProvider provider) {
        this.provider = provider;
    }

    @BeforeEach
    void open() throws IOException {
        pipe = provider.openPipe();
    }

    @AfterEach
    void close() throws IOException {
        pipe.sink().close();
        pipe.source().close();
    }

    @Test
    void bytesComeOutInOrder() throws IOException {
        ByteBuffer direct = ByteBuffer.allocateDirect(2).put(Pair.bytes("cd")).flip();
        assertThat(pipe.sink().write(new ByteBuffer[] {Pair.bytes("ab"), direct}))
                .isEqualTo(4);
        assertThat(pipe.sink().write(Pair.bytes("e"))).isEqualTo(1);
        ByteBuffer[] targets = {ByteBuffer.allocateDirect(3), ByteBuffer.allocate(3)};
        assertThat(pipe.source().read(targets)).isEqualTo(5);
        assertThat(targets[0].get(2)).isEqualTo((byte) 'c');
        assertThat(targets[1].array()).startsWith('d', 'e');
        assertThat(pipe.source().read(ByteBuffer.allocate(0))).isZero();
    }

    @Test
    void aMissingBufferCountsBeforeTheStateAndOneOfAnArrayAfterIt() throws IOException {
        ByteBuffer[] missing = {null};
        assertThatNullPointerException().isThrownBy(() -> pipe.sink().write(missing));
        assertThatNullPointerException().isThrownBy(() -> pipe.source().read(missing));
        pipe.sink().close();
        pipe.source().close();
        assertThatNullPointerException().isThrownBy(() -> pipe.sink().write((ByteBuffer) null));
        assertThatNullPointerException().isThrownBy(() -> pipe.source().read((ByteBuffer) null));
        assertThatExceptionOfType(ClosedChannelException.class)
                .isThrownBy(() -> pipe.sink().write(missing));
        assertThatExceptionOfType(ClosedChannelException.class)
                .isThrownBy(() -> pipe.source().read(missing));
    }

    @Test
    void theSourceEndsWhenTheSinkIsClosed() throws IOException {
        pipe.sink().close();
        assertThat(pipe.source().read(ByteBuffer.allocate(1))).isEqualTo(-1);
        assertThatExceptionOfType(ClosedChannelException.class)
                .isThrownBy(() -> pipe.sink().write(Pair.bytes("x")));
    }

    @Test
    void theSinkBreaksWhenTheSourceIsClosed() throws IOException {
        pipe.source().close();
        assertThatThrownBy(() -> pipe.sink().write(Pair.bytes("x")))
                .isInstanceOf(IOException.class)
                .hasMessage("Broken pipe");
    }

    @Test
    void closingAndInterruptsEndAReadOfAnotherThread() throws Exception {
        Await.Running<Integer> reader = Pair.blocked(() -> pipe.source().read(ByteBuffer.allocate(1)));
        pipe.source().close();
        assertThat(reader.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
        close();
        pipe = provider.openPipe();
        Await.Running<Integer> second = Pair.blocked(() -> pipe.source().read(ByteBuffer.allocate(1)));
        second.thread().interrupt();
        assertThat(second.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
    }

    @Test
    void aWriteThatBlocksWaitsForTheReader() throws Exception {
        Await.Running<Integer> writer = Pair.blocked(() -> pipe.sink().write(ByteBuffer.allocateDirect(1_000_000)));
        ByteBuffer target = ByteBuffer.allocateDirect(1_000_000);
        while (target.hasRemaining()) {
            assertThat(pipe.source().read(target)).isPositive();
        }
        assertThat(writer.result()).isEqualTo(1_000_000);
    }

    @Test
    void bothEndsAreSelected() throws IOException {
        try (Selector selector = provider.openSelector()) {
            SelectionKey reading = pipe.source().configureBlocking(false).register(selector, SelectionKey.OP_READ);
            SelectionKey writing = pipe.sink().configureBlocking(false).register(selector, SelectionKey.OP_WRITE);
            assertThat(pipe.source().read(ByteBuffer.allocate(1))).isZero();
            assertThat(selector.select()).isEqualTo(1);
            assertThat(writing.isWritable()).isTrue();
            selector.selectedKeys().clear();
            ByteBuffer source = ByteBuffer.allocateDirect(1 << 16);
            for (int n = pipe.sink().write(source); n > 0; n = pipe.sink().write(source.clear())) {
                assertThat(source.position()).isEqualTo(n);
            }
            assertThat(selector.select()).isEqualTo(1);
            assertThat(reading.isReadable()).isTrue();
            assertThat(selector.selectedKeys()).containsExactly(reading);
            pipe.sink().close();
            assertThat(selector.selectNow()).isZero();
            assertThat(selector.keys()).containsExactly(reading);
        }
    }
}
