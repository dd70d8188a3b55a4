// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.rstream;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.rsocket.RsocketChannel;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/** One side of the tests of rstream over a connection. For one thread. */
final class RstreamRun {
    /** The number of bytes that both sides send before the clock starts. */
    private static final int SYNC = 16;

    private static final Duration LONG = Duration.ofDays(1);

    private final RsocketChannel channel;
    private final boolean client;
    private final Mode mode;
    private final boolean verify;
    private ByteBuffer buffer = ByteBuffer.allocateDirect(SYNC);

    /** The next expected byte in each direction; as in C, counted over all tests of a process. */
    private final Pattern sent;

    private final Pattern received;

    /** The way in which a side waits. */
    enum Mode {
        /** Reads and writes block. */
        BLOCKING,
        /** Reads and writes are repeated until they succeed. */
        NONBLOCKING,
        /** Reads and writes are repeated, and the thread sleeps in between. */
        ASYNCHRONOUS
    }

    /** A counter of bytes, numbered from 0. */
    static final class Pattern {
        private int next;

        void fill(ByteBuffer bytes) {
            for (int i = 0; i < bytes.limit(); i++) {
                bytes.put(i, (byte) next++);
            }
        }

        void check(ByteBuffer bytes) throws RdmaException {
            for (int i = 0; i < bytes.limit(); i++) {
                if (bytes.get(i) != (byte) next++) {
                    throw new RdmaException("byte " + i + " of a transfer of " + bytes.limit() + " is "
                            + (bytes.get(i) & 0xff) + " and not " + (next - 1 & 0xff));
                }
            }
        }
    }

    RstreamRun(RsocketChannel channel, boolean client, Mode mode, boolean verify, Pattern... directions) {
        this.channel = channel.configureBlocking(mode == Mode.BLOCKING);
        this.client = client;
        this.mode = mode;
        this.verify = verify;
        this.sent = directions[0];
        this.received = directions[1];
    }

    /** Runs a test; returns the time of the transfers in nanoseconds. */
    long run(Test test) throws IOException {
        if (buffer.capacity() < test.bytes()) {
            buffer = ByteBuffer.allocateDirect(test.bytes());
        }
        turn(true, SYNC, 1);
        turn(false, SYNC, 1);
        long start = System.nanoTime();
        for (int i = 0; i < test.iterations(); i++) {
            turn(true, test.bytes(), test.transfers());
            turn(false, test.bytes(), test.transfers());
        }
        return System.nanoTime() - start;
    }

    private void turn(boolean ofClient, int bytes, int transfers) throws IOException {
        for (int i = 0; i < transfers; i++) {
            buffer.clear().limit(bytes);
            if (ofClient == client) {
                send();
            } else {
                receive();
            }
        }
    }

    private void send() throws IOException {
        if (verify) {
            sent.fill(buffer);
        }
        while (buffer.hasRemaining()) {
            if (mode == Mode.ASYNCHRONOUS) {
                channel.write(buffer, LONG);
            } else {
                channel.write(buffer);
            }
        }
    }

    private void receive() throws IOException {
        while (buffer.hasRemaining()) {
            int bytes = mode == Mode.ASYNCHRONOUS ? channel.read(buffer, LONG) : channel.read(buffer);
            if (bytes < 0) {
                throw new EOFException("the peer has closed the connection in the middle of a test");
            }
        }
        if (verify) {
            received.check(buffer);
        }
    }

    /**
     * One test of rstream: in each iteration, the client sends a number of transfers, then the server.
     *
     * @param name the name in the table
     * @param bytes the size of a transfer
     * @param transfers the transfers in one direction
     * @param iterations the number of iterations
     */
    record Test(String name, int bytes, int transfers, int iterations) {
        private static final List<Test> LATENCY = List.of(
                new Test("64_lat", 64, 1, 100_000),
                new Test("4k_lat", 4096, 1, 10_000),
                new Test("64k_lat", 1 << 16, 1, 1_000),
                new Test("1m_lat", 1 << 20, 1, 100));

        /** The first connection of a run without options: one transfer at a time. */
        static List<Test> latency() {
            return LATENCY;
        }

        /** The second connection: the same number of transfers, back to back. */
        static List<Test> bandwidth() {
            return LATENCY.stream()
                    .map(test -> new Test(test.name().replace("lat", "bw"), test.bytes(), test.iterations(), 1))
                    .toList();
        }

        /** The number of transfers in both directions. */
        long total() {
            return 2L * transfers * iterations;
        }
    }
}
