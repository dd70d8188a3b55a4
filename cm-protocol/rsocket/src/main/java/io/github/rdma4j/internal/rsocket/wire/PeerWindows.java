// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import java.nio.ByteBuffer;

/** The memory that the peer has mapped for direct writes: copies of the windows that it writes into the table. */
final class PeerWindows {
    private static final int ADDRESS = 8;
    private static final int KEY = 16;
    private static final int LENGTH = 20;

    private final ByteBuffer table;
    private final long[] offsets;
    private final long[] addresses;
    private final int[] keys;
    private final int[] lengths;

    /** The window of the last search. */
    private int found;

    PeerWindows(ByteBuffer table, int size) {
        this.table = table;
        offsets = new long[size];
        addresses = new long[size];
        keys = new int[size];
        lengths = new int[size];
    }

    /** Takes the window at {@code index}; returns false if the table has no such place. */
    boolean take(int index) {
        if (index >= offsets.length) {
            return false;
        }
        int at = StreamMemory.ENTRIES * StreamMemory.ENTRY + index * StreamMemory.IOMAP;
        offsets[index] = table.getLong(at);
        addresses[index] = table.getLong(at + ADDRESS);
        keys[index] = table.getInt(at + KEY);
        lengths[index] = table.getInt(at + LENGTH);
        return true;
    }

    /** Looks for the window with {@code offset}; returns the bytes from there to its end, 0 if there is none. */
    long find(long offset) {
        for (int i = 0; i < offsets.length; i++) {
            long inside = offset - offsets[i];
            long length = Integer.toUnsignedLong(lengths[i]);
            if (inside >= 0 && inside < length) {
                found = i;
                return length - inside;
            }
        }
        return 0;
    }

    /** The address of {@code offset} in the window that was found. */
    long address(long offset) {
        return addresses[found] + (offset - offsets[found]);
    }

    /** The key of the window that was found. */
    int key() {
        return keys[found];
    }
}
