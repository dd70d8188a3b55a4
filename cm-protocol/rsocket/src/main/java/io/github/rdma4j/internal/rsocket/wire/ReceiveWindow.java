// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import java.nio.ByteBuffer;

/**
 * The receive buffer, of which the peer writes what it was offered: halves in turns, at most two at a time. The bytes
 * lie one behind the other, as in a ring.
 */
final class ReceiveWindow {
    private static final int U16 = 0xffff;

    private final ByteBuffer memory;
    private final int base;
    private final int size;
    private final int half;

    /** The receives that are promised to the peer. */
    private final int queue;

    /** Bytes, since the connection was made, that were read, written by the peer, and offered to the peer. */
    private long read;

    private long written;
    private long offered;

    /** The entries that the peer's list has room for while the peer has not used up the first. */
    private int entriesAhead;

    /** Messages with a credit that have come; wraps around at 16 bits. */
    private int counted;

    /** The count that the peer may reach. */
    private int allowed;

    /** From this count on credits are due. */
    private int due;

    ReceiveWindow(StreamMemory memory, int queue) {
        this.memory = memory.remote();
        this.base = memory.places().receiveOffset();
        this.size = memory.places().receiveBytes();
        this.half = size / 2;
        this.queue = queue;
        this.offered = half; // by the connection data
        this.due = queue / 2;
        this.allowed = queue;
    }

    /** Takes the length of the peer's list, of which no more than two entries are in use. */
    void begin(int entries) {
        entriesAhead = Math.min(entries, StreamMemory.ENTRIES) - 1;
    }

    /** The size of an offer. */
    int half() {
        return half;
    }

    /** The bytes that can be read. */
    int available() {
        return (int) (written - read);
    }

    /** True if half of the buffer is free, and the peer has room in its list. */
    boolean canOffer() {
        return offered - written <= (long) entriesAhead * half && size - (offered - read) >= half;
    }

    /** True if the peer has used half of its credits. */
    boolean creditsDue() {
        return (short) (counted - due) >= 0;
    }

    /** The place of the next offer in the receive buffer. */
    int offerOffset() {
        return (int) (offered % size);
    }

    void offer() {
        offered += half;
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
        long inOffer = half - written % half;
        if (counted == allowed || bytes > Math.min(inOffer, offered - written)) {
            return false;
        }
        counted = (counted + 1) & U16;
        written += bytes;
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
        int first = (int) (read % size);
        int upToEnd = Math.min(bytes, size - first);
        copy(first, into, upToEnd);
        copy(0, into, bytes - upToEnd);
        return bytes;
    }

    private void copy(int from, ByteBuffer into, int bytes) {
        if (bytes > 0) {
            into.put(into.position(), memory, base + from, bytes);
            into.position(into.position() + bytes);
        }
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
