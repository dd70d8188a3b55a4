// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

/**
 * The slots of the send queue, and the registered memory that messages are sent from: a place for a header for each slot,
 * for messages without data, and a ring for those with data, which wait there until they are posted. Completions come in
 * the order of the messages, so one number says what is free again. Few messages are signaled: a completion wakes a loop
 * that waits for data.
 */
final class SendRing {
    /** Slots that data leaves to other messages. */
    static final int SPARE_SLOTS = 4;

    /** The room in the ring that is worth a message. */
    private static final int WORTHWHILE = 2048;

    private final int slots;
    private final int ring;
    private final int worthwhile;

    /** The end of the part of the ring that was posted with the message of a slot, by the slot. */
    private final long[] heads;

    private long posted;
    private long completed;

    /** The ends of the ring's parts that are used, that are posted, and that are free again. */
    private long head;

    private long postedHead;
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
        return posted - completed < slots;
    }

    /** The place for the header of the next message, if it has no data. */
    int wordOffset() {
        return (int) ((posted + 1) % slots) * Header.BYTES;
    }

    /** The length of the ring. */
    int bytes() {
        return ring;
    }

    /** True if {@link #room()} is worth a message with data. */
    boolean hasRoom() {
        skipShortEnd(worthwhile);
        return room() >= worthwhile;
    }

    /** The place of the next byte. */
    int offset() {
        return slots * Header.BYTES + (int) (head % ring);
    }

    /** Uses bytes from {@link #offset()} on; returns the end of what is used. */
    long use(int bytes) {
        head += bytes;
        return head;
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
            postedHead = head;
            lastSignaledHead = Math.max(lastSignaledHead, tail);
        }
        long rest = ring - head % ring;
        if (rest < least && free() >= rest) {
            head += rest;
        }
    }

    /** Numbers a message whose bytes end at {@code end}, as {@link #use} has told, and those before it are posted. */
    void postTo(long end, Outlet.Post post, boolean signaled) {
        postedHead = end;
        post(post, signaled);
    }

    /** Numbers a message, and decides whether it is signaled. */
    void post(Outlet.Post post, boolean signaled) {
        posted++;
        heads[(int) (posted % slots)] = postedHead;
        post.number = posted;
        post.signaled = signaled || posted - lastSignaled >= slots / 4 || postedHead - lastSignaledHead >= ring / 4;
        if (post.signaled) {
            lastSignaled = posted;
            lastSignaledHead = postedHead;
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

    /** The number of the last message whose completion is reported. */
    long lastSignaled() {
        return lastSignaled;
    }

    @Override
    public String toString() {
        return "posted " + posted + ", completed " + completed + ", ring " + (head - tail) + " of " + ring + " bytes";
    }
}
