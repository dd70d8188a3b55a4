// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The buffers that the device reads, each released when the message with it is complete, in their order. */
final class Borrowed {
    private @Nullable ByteBuf[] buffers = new ByteBuf[8];
    private long[] numbers = new long[8];
    private long[] positions = new long[8];
    private int first;
    private int count;

    /** Takes over {@code buffer}, whose bytes begin at {@code position} of all bytes that were written. */
    void add(ByteBuf buffer, long number, long position) {
        if (count == buffers.length) {
            grow();
        }
        int place = (first + count) % buffers.length;
        buffers[place] = buffer;
        numbers[place] = number;
        positions[place] = position;
        count++;
    }

    private void grow() {
        int length = buffers.length;
        @Nullable ByteBuf[] moved = Arrays.copyOf(buffers, 2 * length);
        long[] movedNumbers = Arrays.copyOf(numbers, 2 * length);
        long[] movedPositions = Arrays.copyOf(positions, 2 * length);
        for (int i = 0; i < length; i++) {
            int from = (first + i) % length;
            moved[i] = buffers[from];
            movedNumbers[i] = numbers[from];
            movedPositions[i] = positions[from];
        }
        buffers = moved;
        numbers = movedNumbers;
        positions = movedPositions;
        first = 0;
    }

    /** The position of the first byte that the device may still read; {@code end} if it reads none. */
    long position(long end) {
        return count == 0 ? end : positions[first];
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Releases the buffers of the messages up to {@code completed}. */
    void release(long completed) {
        while (count > 0 && numbers[first] <= completed) {
            ByteBuf buffer = buffers[first];
            buffers[first] = null;
            first = (first + 1) % buffers.length;
            count--;
            if (buffer != null) {
                buffer.release();
            }
        }
    }
}
