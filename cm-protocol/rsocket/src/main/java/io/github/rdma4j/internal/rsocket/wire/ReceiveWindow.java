// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The receive buffer, of which the peer writes what it was offered: halves in turns, at most two at a time. The bytes
 * lie one behind the other, as in a ring. What is offered later may be in a larger buffer.
 */
final class ReceiveWindow {
    private static final int U16 = 0xffff;

    /** A peer that sends messages of so many bytes gets a larger buffer. */
    private static final int LARGE_MESSAGE = 2048;

    /** The bytes that come before a larger buffer is asked for again, when there was none. */
    private static final int ASK_AGAIN = 1 << 20;

    private final Ring ring;

    /** What has to be added to a place in the memory of the ring to get its address for the peer. */
    private long address;

    private int key;

    /** The receives that are promised to the peer. */
    private final int queue;

    /** Bytes, since the connection was made, that were read, written by the peer, and offered to the peer. */
    private long read;

    private long written;
    private long offered;

    /** The end of the offer before the last. */
    private long offeredBefore;

    /** From this count of written bytes on, a larger buffer is asked for if the peer needs one. */
    private long askFrom;

    private boolean needsMore;

    /** The entries that the peer's list has room for while the peer has not used up the first. */
    private int entriesAhead;

    /** Messages with a credit that have come; wraps around at 16 bits. */
    private int counted;

    /** The count that the peer may reach. */
    private int allowed;

    /** From this count on credits are due. */
    private int due;

    ReceiveWindow(StreamMemory memory, int queue) {
        int base = memory.places().receiveOffset();
        this.ring = new Ring(memory.remote(), base, memory.places().receiveBytes());
        this.address = memory.receiveAddress(-base);
        this.key = memory.remoteKey();
        this.queue = queue;
        this.offered = half(); // by the connection data
        this.due = queue / 2;
        this.allowed = queue;
    }

    /** Takes the length of the peer's list, of which no more than two entries are in use. */
    void begin(int entries) {
        entriesAhead = Math.min(entries, StreamMemory.ENTRIES) - 1;
    }

    /** The size of an offer. */
    int half() {
        return ring.size() / 2;
    }

    /** True before the larger buffer. */
    boolean mayGrow() {
        return askFrom < Long.MAX_VALUE;
    }

    /** True if the peer needs a larger buffer, and could be told of it. */
    boolean wantsMore() {
        return needsMore && written >= askFrom && hasEntry();
    }

    /** Offers a larger buffer from now on; null if there is none. */
    void enlarge(Growth.@Nullable Offered larger) {
        if (larger == null) {
            askFrom = written + ASK_AGAIN;
            return;
        }
        askFrom = Long.MAX_VALUE;
        ring.change(larger.memory(), 0, larger.memory().capacity(), offered);
        address = larger.address();
        key = larger.key();
    }

    /** The bytes that can be read. */
    int available() {
        return (int) (written - read);
    }

    /** True if half of the buffer is free, and the peer has room in its list. */
    boolean canOffer() {
        return hasEntry() && ring.size() - ring.used(read, offered) >= half();
    }

    /** True if the peer has room in its list. */
    private boolean hasEntry() {
        return (written < offeredBefore ? 2 : written < offered ? 1 : 0) <= entriesAhead;
    }

    /** True if the peer has used half of its credits. */
    boolean creditsDue() {
        return (short) (counted - due) >= 0;
    }

    /** The next offer, for the peer. */
    long offerAddress() {
        return address + ring.offset(offered);
    }

    int offerKey() {
        return key;
    }

    void offer() {
        offeredBefore = offered;
        offered += half();
    }

    /** Gives credits: returns the count of messages that the peer may send, of which it uses 16 bits. */
    int giveCredits() {
        due = (counted + queue / 2) & U16;
        allowed = (counted + queue) & U16;
        return counted + queue;
    }

    /**
     * Counts a message with a credit; returns false if the peer had none, or if the message claims more bytes than the current
     * offer has room for.
     */
    boolean took(int bytes) {
        long inOffer = (written < offeredBefore ? offeredBefore : offered) - written;
        if (counted == allowed || bytes > inOffer) {
            return false;
        }
        counted = (counted + 1) & U16;
        written += bytes;
        needsMore |= bytes >= LARGE_MESSAGE || written == offered;
        return true;
    }

    /** Moves bytes to {@code into}, from its position on; returns their number. */
    int read(ByteBuffer into) {
        int bytes = peek(into);
        read += bytes;
        return bytes;
    }

    /** As {@link #read}, but the bytes stay. */
    int peek(ByteBuffer into) {
        int bytes = Math.min(available(), into.remaining());
        int copied = 0;
        while (copied < bytes) {
            long at = read + copied;
            int piece = Math.min(bytes - copied, ring.piece(at));
            into.put(into.position(), ring.memory(at), ring.offset(at), piece);
            into.position(into.position() + piece);
            copied += piece;
        }
        return bytes;
    }

    /** Drops the bytes that can be read; they make room. */
    void discard() {
        read = written;
    }

    @Override
    public String toString() {
        return "received " + written + ", read " + read + ", offered " + offered + " bytes, " + counted + " of "
                + allowed + " messages";
    }
}
