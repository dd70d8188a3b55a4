// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/** One connection of {@link NioEchoService}. */
final class NioEcho {
    private static final long IDLE = TimeUnit.SECONDS.toNanos(10);

    private final SocketChannel channel;
    private final ByteBuffer bytes = ByteBuffer.allocate(StreamClient.ROUND);
    private long served = System.nanoTime();

    NioEcho(SocketChannel channel) {
        this.channel = channel;
    }

    /** Sends back what has come. Returns what the channel waits for; the channel is closed at the end of the stream. */
    int serve() throws IOException {
        served = System.nanoTime();
        int read;
        do {
            read = channel.read(bytes);
            bytes.flip();
            channel.write(bytes);
            bytes.compact();
        } while (read > 0);
        if (bytes.position() > 0) {
            return SelectionKey.OP_WRITE;
        }
        if (read < 0) {
            channel.close();
        }
        return SelectionKey.OP_READ;
    }

    boolean isIdle() {
        return System.nanoTime() - served > IDLE;
    }
}
