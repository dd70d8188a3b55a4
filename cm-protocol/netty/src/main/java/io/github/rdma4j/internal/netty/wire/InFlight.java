// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Memory that the device reads, each piece given back when the message with it is complete, in the order of the messages.
 *
 * @param <T> the pieces
 */
final class InFlight<T> {
    private final Consumer<T> back;
    private @Nullable Object[] pieces = new Object[2];
    private long[] numbers = new long[2];
    private long[] positions = new long[2];
    private int first;
    private int count;

    /** {@code back} gets what the device reads no more. */
    InFlight(Consumer<T> back) {
        this.back = back;
    }

    /** Takes over a piece, whose bytes begin at {@code position} of all bytes that were written. */
    void add(T piece, long number, long position) {
        if (count == pieces.length) {
            grow();
        }
        int place = (first + count) % pieces.length;
        pieces[place] = piece;
        numbers[place] = number;
        positions[place] = position;
        count++;
    }

    private void grow() {
        int length = pieces.length;
        @Nullable Object[] moved = Arrays.copyOf(pieces, 2 * length);
        long[] movedNumbers = Arrays.copyOf(numbers, 2 * length);
        long[] movedPositions = Arrays.copyOf(positions, 2 * length);
        for (int i = 0; i < length; i++) {
            int from = (first + i) % length;
            moved[i] = pieces[from];
            movedNumbers[i] = numbers[from];
            movedPositions[i] = positions[from];
        }
        pieces = moved;
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

    /** Gives back the pieces of the messages up to {@code completed}. */
    @SuppressWarnings("unchecked") // only pieces are put in
    void completed(long completed) {
        while (count > 0 && numbers[first] <= completed) {
            Object piece = pieces[first];
            pieces[first] = null;
            first = (first + 1) % pieces.length;
            count--;
            if (piece != null) {
                back.accept((T) piece);
            }
        }
    }
}
