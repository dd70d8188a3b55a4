// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

/**
 * A send ring whose doorbells announce work requests. Counters count blocks, modulo 2^16: {@code head} is the next work request to
 * carry out, {@code rung} the end of what doorbells have announced.
 */
abstract class RungSends implements SendSource {
    static final int COUNTER_MASK = 0xffff;

    private static final int NONE = -1;

    private final int qpn;
    private final int blocks;
    private final Complaints complaints;
    private int head;
    private int rung;

    /** How far the record was taken in place of a doorbell. */
    private int recordTaken = NONE;

    /** The ring of a queue pair, which has so many blocks. */
    RungSends(int qpn, int blocks, Complaints complaints) {
        this.qpn = qpn;
        this.blocks = blocks;
        this.complaints = complaints;
    }

    /** What the doorbell record says, as a counter. */
    abstract int recorded();

    @Override
    public final int head() {
        return head;
    }

    @Override
    public final boolean hasWork() {
        return head != rung;
    }

    @Override
    public final void advance(int units) {
        head = head + units & COUNTER_MASK;
    }

    @Override
    public final void reset() {
        head = 0;
        rung = 0;
        recordTaken = NONE;
    }

    final int rung() {
        return rung;
    }

    /** The blocks from the next work request up to {@code counter}. */
    final int ahead(int counter) {
        return counter - head & COUNTER_MASK;
    }

    /** True if {@code counter} is no end of new work requests in this ring. */
    final boolean isOutside(int counter) {
        return ahead(counter) == 0 || ahead(counter) > blocks;
    }

    final void complain(String what) {
        complaints.add("QP 0x" + Integer.toHexString(qpn) + " " + what);
    }

    /** A doorbell announces the requests up to {@code end}, which lies in the ring. */
    final void announce(int end) {
        if (ahead(recorded()) < ahead(end) || ahead(recorded()) > blocks) {
            complain("rung up to " + end + ", but its record says " + recorded());
        } else if (ahead(end) > ahead(rung)) {
            rung = end;
        }
    }

    /** Takes the record when another queue's doorbell may have taken the place of this queue's. */
    public final void ringAsRecorded() {
        int ahead = ahead(recorded());
        if (ahead > ahead(rung) && ahead <= blocks) {
            rung = recorded();
            recordTaken = rung;
        }
    }

    /** The record comes before the doorbell: it may have been taken for another queue's doorbell, and be done by now. */
    final boolean isDone(int end) {
        return recordTaken != NONE && isBehind(head, end) && isBehind(recordTaken, end);
    }

    private boolean isBehind(int counter, int end) {
        return (counter - end & COUNTER_MASK) < blocks;
    }

    @Override
    public final String toString() {
        return "at " + head + " of " + rung;
    }
}
