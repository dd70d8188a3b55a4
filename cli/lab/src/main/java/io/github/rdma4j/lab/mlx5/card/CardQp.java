// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.card;

import io.github.rdma4j.lab.mlx5.card.ReceiveSource.OwnReceives;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A queue pair of the device. Send counters count 64-byte blocks, modulo 2^16: {@code head} is the next work request to carry
 * out, {@code rung} the end of what doorbells have announced.
 */
public final class CardQp {
    public static final int RESET = 0;
    public static final int INIT = 1;
    public static final int RTR = 2;
    public static final int RTS = 3;
    public static final int ERR = 6;

    private static final int COUNTER_MASK = 0xffff;
    private static final int NONE = -1;
    private static final int SEND_COUNTER = Integer.BYTES;

    /**
     * An operation that the peer has carried out, and whose completion is still to come.
     *
     * @param answer what the peer answered, empty for no answer
     * @param dueAt the step from which on the answer is there
     */
    record UnderWay(SendElement element, ByteBuffer answer, long dueAt) {}

    private final QueuePairSpec spec;
    private final SendElementReader reader;
    private final ReceiveSource receives;
    private final Complaints complaints;
    private QpAttributes attributes = QpAttributes.NEW;
    private int state;
    private final Deque<UnderWay> underWay = new ArrayDeque<>();
    private int head;
    private int rung;

    /** How far the record was taken in place of a doorbell. */
    private int recordTaken = NONE;

    private int rnrTries;

    CardQp(QueuePairSpec spec, int maxElementBytes, Complaints complaints) {
        this.spec = spec;
        this.reader = new SendElementReader(spec, maxElementBytes, complaints);
        this.receives = spec.srq() != null ? spec.srq() : new OwnReceives(spec, complaints);
        this.complaints = complaints;
    }

    public int qpn() {
        return spec.qpn();
    }

    /** What the queue pair is made of. */
    public QueuePairSpec spec() {
        return spec;
    }

    public QpAttributes attributes() {
        return attributes;
    }

    public void attributes(QpAttributes value) {
        attributes = value;
    }

    /** {@code IBV_QPS_*}. */
    public int state() {
        return state;
    }

    void state(int value) {
        state = value;
    }

    int completionIndex() {
        return spec.userIndex() != -1
                ? spec.userIndex()
                : spec.srq() != null ? spec.srq().number() : 0;
    }

    SendElementReader reader() {
        return reader;
    }

    ReceiveSource receives() {
        return receives;
    }

    boolean is(int type) {
        return spec.type() == type;
    }

    /** Whether the requester gets an answer. */
    boolean isReliable() {
        return is(QueuePairSpec.RC) || is(QueuePairSpec.XRC_INI) || is(QueuePairSpec.XRC_TGT);
    }

    boolean isFailed() {
        return state() == ERR;
    }

    /** Whether messages can come in. */
    boolean isReady() {
        return state() == RTR || state() == RTS;
    }

    Deque<UnderWay> underWay() {
        return underWay;
    }

    int head() {
        return head;
    }

    boolean hasWork() {
        return head != rung;
    }

    void advance(int blocks) {
        head = head + blocks & COUNTER_MASK;
        rnrTries = 0;
    }

    /** Counts a peer that has no receive; false when it has been asked often enough. */
    boolean triesAgain() {
        return attributes.rnrRetry() == QpAttributes.FOREVER || rnrTries++ < attributes.rnrRetry();
    }

    void reset() {
        head = 0;
        rung = 0;
        recordTaken = NONE;
        rnrTries = 0;
        underWay.clear();
        receives.reset();
    }

    // ---- doorbells

    /** The blocks from the next work request up to {@code counter}. */
    private int ahead(int counter) {
        return counter - head & COUNTER_MASK;
    }

    private int recorded() {
        return spec.record().getAcquire(SEND_COUNTER) & COUNTER_MASK;
    }

    /** Takes the first eight bytes of a work request as the doorbell of all requests up to that one. */
    void ring(long doorbell) {
        int counter = (int) (doorbell >>> 40) & COUNTER_MASK;
        int octowords = (int) doorbell & 0xff;
        int end = counter + SendElement.blocks(octowords) & COUNTER_MASK;
        if (state() == RESET || state() == INIT) {
            complaints.add(String.format("QP 0x%x rung in state %d", qpn(), state()));
        } else if (octowords != 0 && isDone(end)) {
            return;
        } else if (octowords == 0 || ahead(end) == 0 || ahead(end) > spec.sendBlocks()) {
            complaints.add(String.format(
                    "QP 0x%x rung for %d up to %d, at %d of %d", qpn(), counter, end, head, spec.sendBlocks()));
        } else if (reader.firstEightBytes(counter) != doorbell) {
            complaints.add(String.format(
                    "QP 0x%x rung with %016x for %016x", qpn(), doorbell, reader.firstEightBytes(counter)));
        } else if (ahead(recorded()) < ahead(end) || ahead(recorded()) > spec.sendBlocks()) {
            complaints.add(String.format("QP 0x%x rung up to %d, but its record says %d", qpn(), end, recorded()));
        } else if (ahead(end) > ahead(rung)) {
            rung = end;
        }
    }

    /** Takes the record when another queue's doorbell may have taken the place of this queue's. */
    void ringAsRecorded() {
        if (isReady() || isFailed()) {
            int ahead = ahead(recorded());
            if (ahead > ahead(rung) && ahead <= spec.sendBlocks()) {
                rung = recorded();
                recordTaken = rung;
            }
        }
    }

    /** The record comes before the doorbell: it may have been taken for another queue's doorbell, and be done by now. */
    private boolean isDone(int end) {
        return recordTaken != NONE && behind(head, end) && behind(recordTaken, end);
    }

    private boolean behind(int counter, int end) {
        return (counter - end & COUNTER_MASK) < spec.sendBlocks();
    }

    @Override
    public String toString() {
        return String.format("QP 0x%x in state %d, at %d of %d", qpn(), state(), head, rung);
    }
}
