// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

/**
 * The page of doorbells of a context of ConnectX-3: one register for the sends of all queue pairs, and one for all completion
 * queues. A doorbell that another one has overwritten before the device looked is found in the rings, which say whose the next
 * element is, and in the records of completion queues.
 */
public final class Mlx4Page extends DoorbellPage {
    /** The register of sends is the second half of these eight bytes. */
    private static final int SENDS = 0x10;

    private static final int COMPLETIONS = 0x20;
    private static final int QPN_SHIFT = 8;
    private static final int CQN_MASK = 0xff_ffff;

    private final Pinned page;
    private long value;

    public Mlx4Page(int index, Pinned page) {
        super(index);
        this.page = page;
        page.take(SENDS, UNTOUCHED);
        page.take(COMPLETIONS, UNTOUCHED);
    }

    @Override
    boolean lookAtAll(Card card) {
        boolean rung = false;
        if (wasRung(SENDS)) {
            ringSends(card, (int) value);
            rung = true;
        }
        if (wasRung(COMPLETIONS)) {
            arm(card);
            rung = true;
        }
        return rung;
    }

    private boolean wasRung(int offset) {
        value = page.take(offset, UNTOUCHED);
        return value != UNTOUCHED;
    }

    private void ringSends(Card card, int doorbell) {
        CardQp rung = card.queuePair(doorbell >>> QPN_SHIFT);
        boolean own = rung != null && rung.sends() instanceof Mlx4Sends sends && sends.page() == this;
        if (rung == null || !own || (doorbell & (1 << QPN_SHIFT) - 1) != 0) {
            card.complain(String.format("doorbell %08x, which is not that of a queue pair of its page", doorbell));
        } else if (rung.state() == CardQp.RESET || rung.state() == CardQp.INIT) {
            card.complain(String.format("doorbell %08x in state %d", doorbell, rung.state()));
        }
        for (CardQp each : card.queuePairs()) {
            if (each.sends() instanceof Mlx4Sends sends
                    && sends.page() == this
                    && (each.isReady() || each.isFailed())) {
                sends.announceOwned();
            }
        }
    }

    private void arm(Card card) {
        CardCq named = card.completionQueue((int) (value >>> Integer.SIZE) & CQN_MASK);
        Mlx4Cq armed = named instanceof Mlx4Cq cq && cq.page() == this ? cq : null;
        if (armed == null) {
            card.complain(String.format("doorbell %016x arms no completion queue of its page", value));
        } else {
            armed.arm(value);
        }
        for (CardCq other : card.completionQueues()) {
            if (other instanceof Mlx4Cq cq && cq != armed && cq.page() == this && cq.hasNewArm()) {
                cq.armAsRecorded();
            }
        }
    }
}
