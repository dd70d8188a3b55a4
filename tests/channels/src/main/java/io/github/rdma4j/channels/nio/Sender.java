// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.Semaphore;

/** Writes a number of messages to a channel, each when its turn has come. */
final class Sender {
    private static final int PARTS = 3;

    private final Side side;
    private final int size;
    private final Semaphore turns;
    private final ByteBuffer[] parts;
    private int messages;
    private int left;

    /** Messages for {@code side}, in calls of {@code chunk} bytes at most. */
    Sender(Side side, int messages, int size, Semaphore turns, Phase.Exchange phase) {
        this.side = side;
        this.size = size;
        this.turns = turns;
        this.messages = size == 0 ? 0 : messages;
        parts = new ByteBuffer[phase.isVectored() ? PARTS : 1];
        int each = Math.max(1, phase.chunk() / parts.length);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = (i + phase.chunk()) % 2 == 0 ? ByteBuffer.allocate(each) : ByteBuffer.allocateDirect(each);
            parts[i].limit(0);
        }
    }

    private boolean hasRest() {
        return left > 0 || Arrays.stream(parts).anyMatch(ByteBuffer::hasRemaining);
    }

    boolean isDone() {
        return messages == 0 && !hasRest();
    }

    /** Whether there is something to write now. */
    boolean mayWrite() {
        if (!hasRest() && messages > 0 && turns.tryAcquire()) {
            begin();
        }
        return hasRest();
    }

    /** Waits until there is something to write. */
    void awaitTurn() throws InterruptedException {
        if (!hasRest()) {
            turns.acquire();
            begin();
        }
    }

    private void begin() {
        messages--;
        left = size;
    }

    private void refill() {
        if (Arrays.stream(parts).anyMatch(ByteBuffer::hasRemaining)) {
            return;
        }
        for (ByteBuffer part : parts) {
            part.clear().limit(Math.min(part.capacity(), left));
            side.out.fill(part, side.written);
            side.written += part.position();
            left -= part.flip().remaining();
        }
    }

    /** Makes one call; returns whether it wrote anything. */
    boolean write() throws IOException {
        refill();
        return parts.length == 1 ? side.channel.write(parts[0]) > 0 : side.channel.write(parts) > 0;
    }

    /** The same with the stream of the channel's socket. */
    void writeToSocket() throws IOException {
        refill();
        for (ByteBuffer part : parts) {
            byte[] bytes = new byte[part.remaining()];
            part.get(bytes);
            side.channel.socket().getOutputStream().write(bytes);
        }
    }
}
