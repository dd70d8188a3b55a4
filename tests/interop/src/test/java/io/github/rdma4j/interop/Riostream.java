// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * One side of C's riostream with verification: each side writes into the other's memory, in turns, and knows by the last
 * byte that the turn is over. For one thread.
 */
final class Riostream {
    private static final int SYNC = 16;
    private static final Duration NAP = Duration.ofMillis(1);

    private final RsocketChannel channel;
    private final boolean client;
    private final ByteBuffer memory;
    private final int last;

    /** The last byte of the next turn; both sides count the turns. */
    private int marker;

    /** The bytes before the last are numbered, in each direction. */
    private int sent;

    private int received;

    Riostream(RsocketChannel channel, boolean client, int size) {
        this.channel = channel;
        this.client = client;
        memory = ByteBuffer.allocateDirect(size);
        last = size - 1;
    }

    void run(int transfers, int iterations) throws IOException {
        memory.put(last, (byte) -1);
        try (RsocketChannel.Mapping mapping = channel.map(memory, 0)) {
            assertThat(mapping.offset()).isZero();
            synchronize(client);
            synchronize(!client);
            for (int i = 0; i < iterations; i++) {
                turn(client, transfers);
                turn(!client, transfers);
            }
        }
    }

    private void synchronize(boolean write) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(SYNC);
        while (bytes.hasRemaining()) {
            assertThat(write ? channel.write(bytes) : channel.read(bytes)).isPositive();
        }
    }

    private void turn(boolean write, int transfers) throws IOException {
        byte end = (byte) marker++;
        if (write) {
            // All transfers but the last bring what is there already.
            for (int i = 1; i < transfers; i++) {
                write();
            }
            for (int i = 0; i < last; i++) {
                memory.put(i, (byte) sent++);
            }
            memory.put(last, end);
            write();
        } else {
            awaitLast(end);
            for (int i = 0; i < last; i++) {
                assertThat(memory.get(i)).isEqualTo((byte) received++);
            }
        }
    }

    /** Waits for the last byte, or for the end of the connection, of which the memory tells nothing. */
    private void awaitLast(byte end) throws IOException {
        ByteBuffer none = ByteBuffer.allocate(1);
        long start = System.nanoTime();
        int read = 0;
        while (memory.get(last) != end && read == 0 && System.nanoTime() - start < Await.LIMIT.toNanos()) {
            read = channel.read(none, NAP);
            VarHandle.acquireFence();
        }
        assertThat(memory.get(last))
                .as("the last byte after " + marker + " turns; read " + read)
                .isEqualTo(end);
    }

    private void write() throws IOException {
        assertThat(channel.writeAt(0, memory.duplicate())).isEqualTo(last + 1);
    }
}
