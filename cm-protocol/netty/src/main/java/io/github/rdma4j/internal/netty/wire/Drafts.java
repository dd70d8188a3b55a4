// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The messages with data that are written and not sent, in their order. */
final class Drafts {
    /** One message. Mutable, and used again. */
    static final class Draft {
        /** The memory of the header and of copied bytes; null if the bytes are in {@link #source}. */
        @Nullable
        MessageBuffer buffer;

        /** The bytes in {@link #buffer}, with the header, and how many they can become. */
        int length;

        int limit;

        /** The buffer of the program, which is retained. */
        @Nullable
        ByteBuf source;

        int sourceIndex;
        int sourceLength;

        /** The number of all bytes that were written before those in {@link #source}. */
        long position;

        private Draft() {}

        /** True if a copy of further bytes fits behind those that are there. */
        boolean grows() {
            return buffer != null && length < limit;
        }
    }

    private Draft[] places = new Draft[1];
    private int first;
    private int count;

    /** The bytes in the sources. */
    private long borrowed;

    Drafts() {
        Arrays.setAll(places, i -> new Draft());
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** The bytes of buffers that wait where they are. */
    long borrowed() {
        return borrowed;
    }

    /** Adds an empty message. */
    Draft add() {
        if (count == places.length) {
            grow();
        }
        Draft added = places[(first + count) % places.length];
        count++;
        added.buffer = null;
        added.source = null;
        added.sourceLength = 0;
        added.length = Header.BYTES;
        added.limit = 0;
        return added;
    }

    private void grow() {
        int length = places.length;
        Draft[] moved = new Draft[2 * length];
        for (int i = 0; i < 2 * length; i++) {
            moved[i] = i < length ? places[(first + i) % length] : new Draft();
        }
        places = moved;
        first = 0;
    }

    /** Retains a buffer, and makes bytes of it those of a message. */
    void borrow(Draft draft, ByteBuf source, int index, int length) {
        draft.source = source.retain();
        draft.sourceIndex = index;
        draft.sourceLength = length;
        borrowed += length;
    }

    Draft first() {
        return places[first];
    }

    /** Removes the first message, whose memory is the caller's now. Its values stay until the next {@link #add}. */
    void remove() {
        borrowed -= places[first].sourceLength;
        first = (first + 1) % places.length;
        count--;
    }

    /** The position of the first byte in a source; {@code end} if there is none. */
    long position(long end) {
        for (int i = 0; borrowed > 0 && i < count; i++) {
            Draft draft = places[(first + i) % places.length];
            if (draft.source != null) {
                return draft.position;
            }
        }
        return end;
    }

    @Override
    public String toString() {
        return count + " messages wait for receives";
    }
}
