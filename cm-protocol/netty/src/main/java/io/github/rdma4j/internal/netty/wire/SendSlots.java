// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

/**
 * The slots of the send queue. Completions come in the order of the messages, so one number says what is complete. Few
 * messages are signaled: a completion wakes a loop that waits for data.
 */
final class SendSlots {
    /** Slots that data leaves to other messages. */
    static final int SPARE = 4;

    private final int slots;
    private long posted;
    private long completed;
    private long lastSignaled;

    SendSlots(int slots) {
        this.slots = slots;
    }

    /** True if a message with data may be posted. */
    boolean hasSlot() {
        return slots - (posted - completed) > SPARE;
    }

    /** True if a message without data may be posted. */
    boolean hasSpareSlot() {
        return posted - completed < slots;
    }

    /** The place for the header of the next message, if it has no memory of its own. */
    int wordOffset() {
        return (int) ((posted + 1) % slots) * Header.BYTES;
    }

    /** Numbers a message, and decides whether it is signaled. */
    void post(Outlet.Post post, boolean signaled) {
        posted++;
        post.number = posted;
        post.signaled = signaled || posted - lastSignaled >= slots / 4;
        if (post.signaled) {
            lastSignaled = posted;
        }
    }

    /** The message with the number, and all before it, are complete. */
    void completed(long number) {
        if (number > completed && number <= posted) {
            completed = number;
        }
    }

    long completed() {
        return completed;
    }

    /** The number of the last message whose completion is reported. */
    long lastSignaled() {
        return lastSignaled;
    }

    @Override
    public String toString() {
        return "posted " + posted + ", completed " + completed;
    }
}
