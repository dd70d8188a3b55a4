// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import org.jspecify.annotations.Nullable;

/**
 * A page of doorbells. A store to it is seen by looking: the register then no longer holds what the device left there. A
 * doorbell that another one has overwritten before the device looked is found by the record of its queue; such a record
 * counts only when the register has been rung at all.
 */
public final class UarPage extends DoorbellPage {
    /** The doorbell of completion queues. */
    static final int CQ_DOORBELL = 0x20;

    /** The first doorbell of send queues; the second is one BlueFlame register further. */
    static final int SEND_DOORBELL = 0x800;

    static final int REGISTER_BYTES = 0x200;

    private static final int SEND_REGISTERS = 2;
    private static final int QPN_SHIFT = 8;
    private static final int CQN_MASK = 0xff_ffff;

    private final Pinned page;

    public UarPage(int index, Pinned page) {
        super(index);
        this.page = page;
        page.take(CQ_DOORBELL, UNTOUCHED);
        page.take(SEND_DOORBELL, UNTOUCHED);
        page.take(SEND_DOORBELL + REGISTER_BYTES, UNTOUCHED);
    }

    @Override
    boolean lookAtAll(Card card) {
        boolean rung = false;
        for (int register = 0; register < SEND_REGISTERS; register++) {
            Mlx5Rings.Doorbell doorbell = new Mlx5Rings.Doorbell(this, register);
            if (wasRung(doorbell.offset())) {
                ring(card, doorbell);
                rung = true;
            }
        }
        if (wasRung(CQ_DOORBELL)) {
            arm(card);
            rung = true;
        }
        return rung;
    }

    private static @Nullable Mlx5Sends sendsAt(Mlx5Rings.Doorbell doorbell, @Nullable CardQp qp) {
        return qp != null && qp.sends() instanceof Mlx5Sends sends && doorbell.equals(sends.doorbell()) ? sends : null;
    }

    private void ring(Card card, Mlx5Rings.Doorbell doorbell) {
        CardQp rung = card.queuePair((int) value >>> QPN_SHIFT);
        Mlx5Sends sends = sendsAt(doorbell, rung);
        if (rung == null || sends == null) {
            card.complain(String.format(
                    "doorbell %016x at 0x%x, which is not that of its queue pair", value, doorbell.offset()));
        } else {
            sends.ring(value, rung.state());
        }
        for (CardQp other : card.queuePairs()) {
            Mlx5Sends ofOther = other == rung ? null : sendsAt(doorbell, other);
            if (ofOther != null && (other.isReady() || other.isFailed())) {
                ofOther.ringAsRecorded();
            }
        }
    }

    private void arm(Card card) {
        CardCq named = card.completionQueue((int) value & CQN_MASK);
        Mlx5Cq armed = named instanceof Mlx5Cq cq && cq.uar().equals(this) ? cq : null;
        if (armed == null) {
            card.complain(String.format("doorbell %016x arms no completion queue of its page", value));
        } else {
            armed.arm((int) (value >>> Integer.SIZE));
        }
        for (CardCq other : card.completionQueues()) {
            if (other instanceof Mlx5Cq cq && cq != armed && cq.uar().equals(this) && cq.hasNewArm()) {
                cq.armAsRecorded();
            }
        }
    }

    /** Whether somebody rang at {@code offset} since the last look; {@code value} is the doorbell. */
    boolean wasRung(int offset) {
        value = page.take(offset, UNTOUCHED);
        return value != UNTOUCHED;
    }

    private long value;
}
