// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.rcopy;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.rsocket.RsocketChannel;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Messages and bytes over a connection. For one thread.
 *
 * @param idle the longest time without a byte from the peer
 */
record RcopyStream(RsocketChannel channel, Duration idle) {
    /** Reads the head of a message; null at the end of the stream. */
    @Nullable
    RcopyMessage next() throws IOException {
        ByteBuffer head = ByteBuffer.allocateDirect(RcopyMessage.BYTES);
        if (some(head) < 0) {
            return null;
        }
        fill(head);
        return RcopyMessage.decode(head);
    }

    /** Reads until {@code into} is full, and flips it. */
    void fill(ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            if (some(into) < 0) {
                throw new EOFException("the peer has closed the connection in the middle of a message or a file");
            }
        }
        into.flip();
    }

    private int some(ByteBuffer into) throws IOException {
        int bytes = channel.read(into, idle);
        if (bytes == 0 && into.hasRemaining()) {
            throw new RdmaException("the peer has sent nothing for " + idle.toSeconds() + " s");
        }
        return bytes;
    }

    void send(ByteBuffer from) throws IOException {
        channel.write(from);
    }

    /** Sends a message without data after its head. */
    void send(RcopyMessage message) throws IOException {
        send(message.encode().flip());
    }
}
