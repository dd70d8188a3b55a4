// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;

/** Reads a number of messages from a channel and checks each byte; after each message the side may write another. */
final class Receiver {
    private final Side side;
    private final int size;
    private final Semaphore turns;
    private final ByteBuffer[] parts;
    private final long end;
    private final long begin;

    Receiver(Side side, int messages, int size, Semaphore turns, Phase.Exchange phase) {
        this.side = side;
        this.size = size;
        this.turns = turns;
        begin = side.read;
        end = side.read + (long) messages * size;
        parts = new ByteBuffer[phase.isVectored() ? 2 : 1];
        int each = Math.max(1, phase.chunk() / parts.length);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = (i + phase.chunk()) % 2 == 0 ? ByteBuffer.allocateDirect(each) : ByteBuffer.allocate(each);
        }
    }

    boolean isDone() {
        return side.read == end;
    }

    /** Makes one call; returns whether it read anything. */
    boolean read() throws IOException {
        int left = (int) (end - side.read);
        for (ByteBuffer part : parts) {
            part.clear().limit(Math.min(part.capacity(), left));
            left -= part.limit();
        }
        return took(parts.length == 1 ? side.channel.read(parts[0]) : side.channel.read(parts));
    }

    /** The same with the stream of the channel's socket. */
    void readFromSocket() throws IOException {
        byte[] bytes = new byte[(int) Math.min(end - side.read, parts[0].capacity())];
        int count = side.channel.socket().getInputStream().read(bytes);
        parts[0].clear();
        if (count > 0) {
            parts[0].put(bytes, 0, count);
        }
        for (int i = 1; i < parts.length; i++) {
            parts[i].clear();
        }
        took(count);
    }

    private boolean took(long count) {
        if (count < 0) {
            throw new AssertionError("the end after " + (side.read - begin) + " of " + (end - begin) + " bytes");
        }
        long before = side.read;
        for (ByteBuffer part : parts) {
            int right = side.in.right(part, 0, side.read);
            if (right != part.position()) {
                throw new AssertionError("a wrong byte at " + (side.read + right - begin) + " of " + (end - begin));
            }
            side.read += right;
        }
        if (side.read - before != count) {
            throw new AssertionError(
                    "read returned " + count + " with " + (side.read - before) + " bytes in the buffers");
        }
        if (size > 0) {
            turns.release((int) ((side.read - begin) / size - (before - begin) / size));
        }
        return count > 0;
    }
}
