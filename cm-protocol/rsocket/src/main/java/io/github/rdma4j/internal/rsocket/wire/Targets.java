// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import java.nio.ByteBuffer;

/**
 * The memory of the peer that this side may write: copies of the entries that the peer writes into the table. A copy is
 * taken when the message for the entry has come, so the peer cannot change it under way.
 */
final class Targets {
    private static final int KEY = 8;
    private static final int LENGTH = 12;

    private final ByteBuffer table;
    private final long[] addresses = new long[StreamMemory.ENTRIES];
    private final int[] keys = new int[StreamMemory.ENTRIES];

    /** The bytes that are left, as unsigned numbers. */
    private final long[] left = new long[StreamMemory.ENTRIES];

    /** Entries that were used up, and that the peer has written, since the connection was made. */
    private long used;

    private long taken;

    /** Empties the table, in which an entry is recognized by its length on iWARP; the peer does not know its place yet. */
    Targets(ByteBuffer table) {
        this.table = table;
        for (int i = 0; i < StreamMemory.ENTRIES; i++) {
            table.putInt(i * StreamMemory.ENTRY + LENGTH, 0);
        }
    }

    /** Takes the memory of the connection data. */
    void begin(ConnData.Area first) {
        set(first.address(), first.key(), first.length());
    }

    /** Takes the entry that was written last; returns false if the entry before it was not used up. */
    boolean take() {
        if (taken - used == StreamMemory.ENTRIES) {
            return false;
        }
        int at = place(taken) * StreamMemory.ENTRY;
        set(table.getLong(at), table.getInt(at + KEY), table.getInt(at + LENGTH));
        return true;
    }

    /** As {@link #take}, if there is an entry: the message alone does not say whether it came with one. */
    boolean takeIfWritten() {
        int length = place(taken) * StreamMemory.ENTRY + LENGTH;
        if (table.getInt(length) == 0) {
            return true;
        }
        boolean hadRoom = take();
        table.putInt(length, 0);
        return hadRoom;
    }

    private static int place(long entry) {
        return (int) (entry % StreamMemory.ENTRIES);
    }

    private void set(long address, int key, int length) {
        int place = place(taken);
        addresses[place] = address;
        keys[place] = key;
        left[place] = Integer.toUnsignedLong(length);
        taken++;
        skipUsed();
    }

    private void skipUsed() {
        while (used < taken && left[place(used)] == 0) {
            used++;
        }
    }

    /** The bytes that may be written at {@link #address}; 0 while the peer offers no memory. */
    long room() {
        return used < taken ? left[place(used)] : 0;
    }

    long address() {
        return addresses[place(used)];
    }

    int key() {
        return keys[place(used)];
    }

    /** Uses bytes of the current entry; a used up entry makes way for the next one. */
    void use(int bytes) {
        addresses[place(used)] += bytes;
        left[place(used)] -= bytes;
        skipUsed();
    }

    @Override
    public String toString() {
        return "the peer offers " + left[0] + " and " + left[1] + " bytes";
    }
}
