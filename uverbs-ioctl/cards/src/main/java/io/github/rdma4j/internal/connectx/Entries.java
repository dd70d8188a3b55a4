// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.connectx;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The ring of a completion queue. The owner bit of an entry, in its last byte, changes with every lap of the ring, and
 * so distinguishes new entries from old entries. Indexes run freely.
 */
public final class Entries {
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final ByteBuffer ring;
    private final int count;
    private final int shift;
    private final int bytes;
    private final int owner;
    private final int stateMask;
    private final int emptyState;

    /**
     * Creates a ring.
     *
     * @param ring the bytes
     * @param count entries, a power of two
     * @param shift log2 of the distance of two entries in bytes
     * @param format the format of an entry
     */
    public Entries(ByteBuffer ring, int count, int shift, Format format) {
        this.ring = ring.duplicate().order(ByteOrder.BIG_ENDIAN);
        this.count = count;
        this.shift = shift;
        this.bytes = format.bytes();
        this.owner = format.owner();
        this.stateMask = format.stateMask();
        this.emptyState = format.emptyState();
    }

    /**
     * The format of an entry.
     *
     * @param bytes the number of meaningful bytes, at the end of an entry
     * @param owner the owner bit in the last byte
     * @param stateMask the bits of the last byte that identify an entry which the device has never written; 0 for none
     * @param emptyState the value of these bits in such an entry; with a mask of 0, a number other than 0
     */
    public record Format(int bytes, int owner, int stateMask, int emptyState) {}

    ByteBuffer ring() {
        return ring;
    }

    public int count() {
        return count;
    }

    /** The offset of the meaningful bytes of entry {@code index}. */
    int at(int index) {
        return ((index & (count - 1)) << shift) + (1 << shift) - bytes;
    }

    /** The last word of the entry at {@code at}, with acquire. */
    int lastWord(int at) {
        return (int) INT.getAcquire(ring, at + bytes - Integer.BYTES);
    }

    /** True if the device has written entry {@code index}, whose last word is {@code last}, in this lap. */
    boolean isWritten(int last, int index) {
        return (last & owner) == ownerOf(index) && (last & stateMask) != emptyState;
    }

    private int ownerOf(int index) {
        return (index & count) == 0 ? 0 : owner;
    }

    /**
     * Gives all entries from {@code first} on to the device by the owner bit, and clears the other bits of their last
     * byte.
     */
    public void disown(int first) {
        for (int index = first; index != first + count; index++) {
            ring.put(at(index) + bytes - 1, (byte) (ownerOf(index) ^ owner));
        }
    }

    /** Copies the entry at {@code from} of {@code old} to {@code index}, and sets the matching owner bit. */
    void copy(Entries old, int from, int index) {
        int to = at(index);
        int operation = old.ring.get(from + bytes - 1) & ~owner;
        for (int i = 0; i < bytes; i += Long.BYTES) {
            ring.putLong(to + i, old.ring.getLong(from + i));
        }
        ring.put(to + bytes - 1, (byte) (operation | ownerOf(index)));
    }
}
