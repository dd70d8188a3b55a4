// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** A queue pair of the device. */
public final class CardQp {
    public static final int RESET = 0;
    public static final int INIT = 1;
    public static final int RTR = 2;
    public static final int RTS = 3;
    public static final int SQD = 4;
    public static final int ERR = 6;

    /**
     * An operation that the peer has carried out, and whose completion is still to come.
     *
     * @param answer what the peer answered, empty for no answer
     * @param dueAt the step from which on the answer is there
     */
    record UnderWay(SendElement element, ByteBuffer answer, long dueAt) {}

    private final QpSpec spec;
    private final SendSource sends;
    private final ReceiveSource receives;
    private QpAttributes attributes = QpAttributes.NEW;
    private int state;
    private final Deque<UnderWay> underWay = new ArrayDeque<>();
    private int rnrTries;

    CardQp(QpSpec spec, Complaints complaints) {
        CardSrq srq = spec.srq();
        this.spec = spec;
        this.sends = spec.rings().sends(spec, complaints);
        this.receives = srq != null ? srq : spec.rings().receives(spec, complaints);
    }

    public int qpn() {
        return spec.qpn();
    }

    /** What the queue pair is made of. */
    public QpSpec spec() {
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

    SendSource sends() {
        return sends;
    }

    ReceiveSource receives() {
        return receives;
    }

    boolean is(int type) {
        return spec.type() == type;
    }

    /** Whether the requester gets an answer. */
    boolean isReliable() {
        return is(QpSpec.RC) || is(QpSpec.XRC_INI) || is(QpSpec.XRC_TGT);
    }

    boolean isFailed() {
        return state() == ERR;
    }

    /** Whether messages can come in. */
    boolean isReady() {
        return state() == RTR || isSending();
    }

    /** Whether messages go out; in SQD those that are posted. */
    boolean isSending() {
        return state() == RTS || state() == SQD;
    }

    Deque<UnderWay> underWay() {
        return underWay;
    }

    boolean hasWork() {
        return sends.hasWork();
    }

    void advance(int units) {
        sends.advance(units);
        rnrTries = 0;
    }

    /** Counts a peer that has no receive; false when it has been asked often enough. */
    boolean triesAgain() {
        return attributes.rnrRetry() == QpAttributes.FOREVER || rnrTries++ < attributes.rnrRetry();
    }

    void reset() {
        sends.reset();
        rnrTries = 0;
        underWay.clear();
        receives.reset();
    }

    @Override
    public String toString() {
        return String.format("QP 0x%x in state %d, %s", qpn(), state(), sends);
    }
}
