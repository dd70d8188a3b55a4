// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.soak.host.EchoClient.DataMismatchException;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

/** A client of an echo server of streams: every byte must come back. */
public final class StreamClient {
    /** The most bytes under way: they fit into the buffers. */
    static final int ROUND = 16_384;

    private static final Duration ECHO = Duration.ofSeconds(30);

    private final InetSocketAddress server;

    /** A client of the server there. */
    public StreamClient(InetSocketAddress server) {
        this.server = server;
    }

    /** One end of a connection to an echo server. */
    interface Stream {
        void write(byte[] content, int start, int length) throws Exception;

        /** As many bytes, or fewer if the stream has ended. */
        byte[] read(int length) throws Exception;

        void shutdownOutput() throws Exception;

        /** Why the stream has ended. */
        default String end() {
            return "the stream has ended";
        }
    }

    /** Sends so many pieces, whose bytes the seed decides, and compares what comes back. */
    static void exchange(Stream stream, int rounds, long seed) throws Exception {
        Random random = new Random(seed);
        byte[] content = new byte[ROUND];
        random.nextBytes(content);
        for (int i = 0; i < rounds; i++) {
            int start = random.nextInt(ROUND - 1);
            int length = 1 + random.nextInt(ROUND - 1 - start);
            stream.write(content, start, length);
            byte[] echo = stream.read(length);
            int difference = Arrays.mismatch(echo, 0, echo.length, content, start, start + length);
            if (difference == echo.length) {
                throw new EOFException(stream.end());
            }
            if (difference >= 0) {
                throw new DataMismatchException("an echo of " + length + " bytes differs at byte " + difference);
            }
        }
        stream.shutdownOutput();
        if (stream.read(1).length > 0) {
            throw new DataMismatchException("a byte that was not sent came back");
        }
    }

    /** One connection, with so many pieces whose bytes the seed decides. */
    public void run(int rounds, long seed) throws Exception {
        try (RsocketChannel channel = RsocketChannel.connect(server, StreamEchoService.OPTIONS)) {
            exchange(new OnChannel(channel), rounds, seed);
        }
    }

    private record OnChannel(RsocketChannel channel) implements Stream {
        @Override
        public void write(byte[] content, int start, int length) throws IOException {
            channel.write(ByteBuffer.wrap(content, start, length));
        }

        @Override
        public byte[] read(int length) throws IOException {
            ByteBuffer echo = ByteBuffer.allocate(length);
            while (echo.hasRemaining()) {
                int read = channel.read(echo, ECHO);
                if (read < 0) {
                    break;
                }
                if (read == 0) {
                    throw new RdmaException("no echo within " + ECHO);
                }
            }
            return Arrays.copyOf(echo.array(), echo.position());
        }

        @Override
        public void shutdownOutput() throws IOException {
            channel.shutdownOutput();
        }
    }
}
