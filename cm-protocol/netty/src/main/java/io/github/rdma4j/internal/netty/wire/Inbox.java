// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

import io.netty.buffer.ByteBuf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The messages with data that have come and are not read, in their order, by the receives that they have come in. */
final class Inbox {
    /** Stands for the receive of a message that is in a buffer of its own. */
    static final int OWN_BUFFER = -1;

    private final @Nullable ByteBuf[] buffers;
    private final int[] slots;
    private final int[] lengths;
    private int first;
    private int count;

    /** Bytes of the first message that were read. */
    private int taken;

    private long available;

    Inbox(int receives) {
        buffers = new @Nullable ByteBuf[receives];
        slots = new int[receives];
        lengths = new int[receives];
    }

    void add(ByteBuf buffer, int slot, int length) {
        int place = (first + count) % slots.length;
        buffers[place] = buffer;
        slots[place] = slot;
        lengths[place] = length;
        count++;
        available += length;
    }

    boolean isEmpty() {
        return count == 0;
    }

    int available() {
        return (int) Math.min(available, Integer.MAX_VALUE);
    }

    /** The unread bytes of the first message. */
    int length() {
        return count == 0 ? 0 : lengths[first] - taken;
    }

    int slot() {
        return slots[first];
    }

    /** The index of the first unread byte in {@link #buffer()}. */
    int index() {
        return Header.BYTES + taken;
    }

    ByteBuf buffer() {
        return Objects.requireNonNull(buffers[first]);
    }

    /** Reads bytes of the first message; returns true if it has no more. */
    boolean take(int bytes) {
        taken += bytes;
        available -= bytes;
        if (taken < lengths[first]) {
            return false;
        }
        taken = 0;
        buffers[first] = null; // it may be the program's by now, which releases it
        first = (first + 1) % slots.length;
        count--;
        return true;
    }

    @Override
    public String toString() {
        return count + " messages with " + available + " bytes wait";
    }
}
