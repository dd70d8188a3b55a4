// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.soak.host.EchoClient.DataMismatchException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;

/** A client of the echo server of streams: every byte must come back. */
public final class StreamClient {
    /** The most bytes under way: they fit into the buffers. */
    static final int ROUND = 16_384;

    private static final Duration ECHO = Duration.ofSeconds(30);

    private final InetSocketAddress server;
    private final int rounds;
    private final long seed;

    /** A client that sends so many pieces, whose bytes the seed decides. */
    public StreamClient(InetSocketAddress server, int rounds, long seed) {
        this.server = server;
        this.rounds = rounds;
        this.seed = seed;
    }

    /** One connection. */
    public void run() throws IOException, InterruptedException, DataMismatchException {
        Random random = new Random(seed);
        byte[] content = new byte[ROUND];
        random.nextBytes(content);
        try (RsocketChannel channel = RsocketChannel.connect(server, StreamEchoService.OPTIONS)) {
            for (int i = 0; i < rounds; i++) {
                int start = random.nextInt(ROUND - 1);
                exchange(channel, ByteBuffer.wrap(content, start, 1 + random.nextInt(ROUND - 1 - start)));
            }
            channel.shutdownOutput();
            if (channel.read(ByteBuffer.allocate(1), ECHO) > 0) {
                throw new DataMismatchException("a byte that was not sent came back");
            }
        }
    }

    private static void exchange(RsocketChannel channel, ByteBuffer bytes) throws IOException, DataMismatchException {
        channel.write(bytes.duplicate());
        ByteBuffer echo = ByteBuffer.allocate(bytes.remaining());
        while (echo.hasRemaining()) {
            int read = channel.read(echo, ECHO);
            if (read <= 0) {
                throw new RdmaException(read < 0 ? "the stream has ended" : "no echo within " + ECHO);
            }
        }
        if (!echo.flip().equals(bytes)) {
            throw new DataMismatchException(
                    "an echo of " + bytes.remaining() + " bytes differs at byte " + bytes.mismatch(echo));
        }
    }
}
