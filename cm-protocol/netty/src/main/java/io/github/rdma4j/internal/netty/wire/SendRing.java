// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

/**
 * The slots of the send queue, and the ring of registered memory that messages are sent from. Completions come in the
 * order of the messages, so one number says what is free again. Few messages are signaled: a completion wakes a loop that
 * waits for data.
 */
final class SendRing {
    /** Slots that data leaves to other messages. */
    static final int SPARE_SLOTS = 4;

    /** The room in the ring that is worth a message. */
    private static final int WORTHWHILE = 2048;

    private final int slots;
    private final int ring;
    private final int worthwhile;

    /** The end of the ring's used part after the message of a slot, by the slot. */
    private final long[] heads;

    private long posted;
    private long completed;
    private long head;
    private long tail;
    private long lastSignaled;
    private long lastSignaledHead;

    SendRing(int slots, int ring) {
        this.slots = slots;
        this.ring = ring;
        this.worthwhile = Math.min(WORTHWHILE, ring / 4);
        this.heads = new long[slots];
    }

    /** True if a message with data may be posted. */
    boolean hasSlot() {
        return slots - (posted - completed) > SPARE_SLOTS;
    }

    /** True if a message without data may be posted. */
    boolean hasSpareSlot() {
        skipShortEnd(Header.BYTES);
        return posted - completed < slots && room() >= Header.BYTES;
    }

    /** True if {@link #room()} is worth a message with data. */
    boolean hasRoom() {
        skipShortEnd(worthwhile);
        return room() >= worthwhile;
    }

    /** The place of the next message. */
    int offset() {
        return (int) (head % ring);
    }

    /** The free bytes from {@link #offset()} on. */
    int room() {
        return (int) Math.min(free(), ring - head % ring);
    }

    private long free() {
        return ring - (head - tail);
    }

    /** A message is in one piece: what is left at the end of the ring may be too short for it. */
    private void skipShortEnd(int least) {
        if (head == tail) {
            head += (ring - head % ring) % ring; // all is sent: begin anew, in memory that the caches know
            tail = head;
            lastSignaledHead = Math.max(lastSignaledHead, tail);
        }
        long rest = ring - head % ring;
        if (rest < least && free() >= rest) {
            head += rest;
        }
    }

    /** Numbers a message, and decides whether it is signaled. */
    void post(Outlet.Post post, boolean signaled) {
        head += post.length;
        posted++;
        heads[(int) (posted % slots)] = head;
        post.number = posted;
        post.signaled = signaled || posted - lastSignaled >= slots / 4 || head - lastSignaledHead >= ring / 4;
        if (post.signaled) {
            lastSignaled = posted;
            lastSignaledHead = head;
        }
    }

    /** The message with the number, and all before it, are complete. */
    void completed(long number) {
        if (number > completed && number <= posted) {
            completed = number;
            tail = Math.max(tail, heads[(int) (number % slots)]);
        }
    }

    long completed() {
        return completed;
    }

    long posted() {
        return posted;
    }

    @Override
    public String toString() {
        return "posted " + posted + ", completed " + completed + ", ring " + (head - tail) + " of " + ring + " bytes";
    }
}
