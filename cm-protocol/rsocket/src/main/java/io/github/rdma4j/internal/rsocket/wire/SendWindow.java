// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

/**
 * What this side may send now: slots of the send queue, room in the send buffer, and the credits that the peer gave.
 *
 * <p>Completions come in the order of the writes, so one number says what is free again. Few writes are signaled: a
 * completion wakes a thread that waits for data.
 */
final class SendWindow {
    /** Messages without a credit that may be under way: each takes a receive that the peer has not promised. */
    static final int CONTROL_SLOTS = 4;

    /** Credits that are not used, for what the peer's receives have to take beside data. */
    static final int UNUSED_CREDITS = 8;

    /** The room in the send buffer that is worth a write. */
    private static final int WORTHWHILE = 2048;

    private static final int SMALL_WINDOW = 16;
    private static final int U16 = 0xffff;

    private final int queue;
    private final int slots;
    private final Ring ring;

    /** The end of the send buffer's used part after the write of a slot, by the slot. */
    private final long[] heads;

    private final long[] controls = new long[CONTROL_SLOTS];
    private int control;

    private long posted;
    private long completed;

    /** The ends of the parts of the send buffer that are used, that are posted, and that are free again. */
    private long head;

    private long postedHead;
    private long tail;

    private int messages;
    private int limit;
    private int peerQueue;
    private int unused;

    private long lastSignaled;
    private long lastSignaledHead;
    private int unsignaledControls;

    /**
     * Creates a window before the peer gives credits.
     *
     * @param queue the size of the send queue
     * @param slots the slots that a write with a message takes
     * @param ring the send buffer
     */
    SendWindow(int queue, int slots, Ring ring) {
        this.queue = queue;
        this.slots = slots;
        this.ring = ring;
        this.heads = new long[queue];
    }

    /** Takes the credits of the connection data. */
    void begin(int credits) {
        limit = credits;
        peerQueue = credits;
        unused = credits <= SMALL_WINDOW ? 0 : UNUSED_CREDITS;
    }

    /**
     * Takes a count of messages that the peer allows; a count that goes back is old.
     *
     * @return false if the count allows more messages than the peer's queue holds
     */
    boolean allow(int count) {
        int granted = (count - messages) & U16;
        if (granted > peerQueue) {
            return (short) (count - limit) <= 0;
        }
        if (granted >= ((limit - messages) & U16)) {
            limit = count & U16;
        }
        return true;
    }

    /**
     * The last message used a credit that C's rsockets never give back: to them it was no data. But they do not keep its
     * receive either, so this side can leave one credit less unused.
     */
    void creditMayNotReturn() {
        unused = Math.max(0, unused - 1);
    }

    /** True if a message with a credit may be sent. */
    boolean hasCredit() {
        return ((limit - messages) & U16) > unused;
    }

    /** True if a write that is no control message may be posted. */
    boolean hasSlot() {
        return posted - completed <= dataSlots() - slots;
    }

    /** The slots that are not kept for control messages. */
    private long dataSlots() {
        return queue - (long) slots * CONTROL_SLOTS;
    }

    /** True if a control message may be posted. */
    boolean hasControlSlot() {
        return controls[control] <= completed && queue - (posted - completed) >= slots;
    }

    /** The place for the entry of the next control message. */
    int controlSlot() {
        return control;
    }

    /** The count of the next byte that is put into the send buffer. */
    long next() {
        return head;
    }

    /** True if nothing of the send buffer is in use, as far as completions have told. */
    boolean isEmpty() {
        return head == tail;
    }

    /** The free bytes from {@link #next} on. */
    int room() {
        if (head == tail && ring.piece(head) < ring.size()) {
            head += ring.piece(head); // all is sent: begin anew, so that the room is in one piece
            tail = head;
            postedHead = head;
            lastSignaledHead = head;
        }
        return (int) Math.min(free(), ring.piece(head));
    }

    private long free() {
        return ring.size() - ring.used(tail, head);
    }

    /**
     * True if there is room that is worth a write. Other room ends where the buffer is in use, and grows soon: more than three
     * quarters are in use, so a write that is signaled holds some.
     */
    boolean hasRoom() {
        int room = room();
        return room > 0 && (room >= Math.min(WORTHWHILE, ring.size() / 4) || room == ring.piece(head));
    }

    /** True if {@code bytes} have room in one piece; then they are to be sent next, for the end of the buffer may be skipped. */
    boolean fits(int bytes) {
        if (room() >= bytes) {
            return true;
        }
        long rest = ring.piece(head);
        boolean fitsAtBegin = rest < bytes && free() >= rest + bytes;
        if (fitsAtBegin) {
            head += rest;
            postedHead = head;
        }
        return fitsAtBegin;
    }

    /** Uses bytes of the send buffer, from {@link #next} on, which are posted later. */
    void hold(int bytes) {
        head += bytes;
    }

    /** True if no bytes wait to be posted. */
    boolean holdsNothing() {
        return head == postedHead;
    }

    /** The count of the first byte that waits to be posted. */
    long held() {
        return postedHead;
    }

    /** The bytes that wait to be posted, from {@link #held} on, in one piece. */
    int heldBytes() {
        return (int) Math.min(head - postedHead, ring.piece(postedHead));
    }

    /** Numbers a write of the first bytes that wait to be posted, and decides whether it is signaled. */
    void data(Wire.Post post, int bytes) {
        if (post.hasMessage) {
            messages = (messages + 1) & U16;
        }
        postedHead += bytes;
        number(post, post.hasMessage ? slots : 1);
        boolean due = 2 * (posted - lastSignaled) >= dataSlots() || postedHead - lastSignaledHead >= ring.size() / 4;
        signal(post, due);
    }

    /** Numbers a message without a credit. */
    void control(Wire.Post post, boolean signaled) {
        number(post, slots);
        controls[control] = post.number;
        control = (control + 1) % CONTROL_SLOTS;
        unsignaledControls++;
        signal(post, signaled || unsignaledControls >= CONTROL_SLOTS / 2);
    }

    private void number(Wire.Post post, int taken) {
        posted += taken;
        post.number = posted;
        heads[(int) (posted % queue)] = postedHead;
    }

    private void signal(Wire.Post post, boolean signaled) {
        post.signaled = signaled;
        if (signaled) {
            lastSignaled = posted;
            lastSignaledHead = postedHead;
            unsignaledControls = 0;
        }
    }

    /** The write with the number, and all before it, are complete. */
    void completed(long number) {
        if (number > completed && number <= posted) {
            completed = number;
            tail = Math.max(tail, heads[(int) (number % queue)]);
        }
    }

    /** The number of the last write whose completion will be told. */
    long lastSignaled() {
        return lastSignaled;
    }

    /** The number of the last write that is known to be complete. */
    long completed() {
        return completed;
    }

    @Override
    public String toString() {
        return "posted " + posted + ", completed " + completed + ", credits " + ((limit - messages) & U16)
                + ", send buffer " + (head - tail) + " of " + ring.size() + " bytes";
    }
}
