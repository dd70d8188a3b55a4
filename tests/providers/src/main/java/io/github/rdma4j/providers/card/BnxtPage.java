// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.bnxt.Elements.Doorbell;
import org.jspecify.annotations.Nullable;

/**
 * The page of doorbells of a context of bnxt_re. All queues ring in one place, and nothing but the doorbell tells the device what is
 * new. A process therefore keeps its doorbells in the rest of the page, one behind the other: {@link #COUNT} says how many there
 * have been, and {@link #LIST} has the latest.
 */
public final class BnxtPage extends DoorbellPage {
    /** Where the process counts its doorbells. */
    public static final int COUNT = 8;

    /** Where the process keeps its doorbells. */
    public static final int LIST = 16;

    /** So many of the latest doorbells are there. */
    public static final int ROOM = 508;

    private final Pinned page;
    private final boolean watched;
    private final Addresses addresses = new Addresses();
    private long seen;

    /**
     * A page.
     *
     * @param watched whether the process keeps its doorbells in the page
     */
    public BnxtPage(int index, Pinned page, boolean watched) {
        super(index);
        this.page = page;
        this.watched = watched;
    }

    /** The addresses that the kernel has given the context. */
    public Addresses addresses() {
        return addresses;
    }

    /** Whether the device learns what the process has taken. */
    boolean isWatched() {
        return watched;
    }

    @Override
    boolean lookAtAll(Card card) {
        long count = Long.reverseBytes(page.getLongAcquire(COUNT));
        boolean any = count != seen;
        if (count - seen > ROOM) {
            card.complain("doorbells came faster than the device looks: " + (count - seen));
            seen = count - ROOM;
        }
        for (; seen != count; seen++) {
            int at = LIST + (int) (seen % ROOM) * Long.BYTES;
            take(card, Long.reverseBytes(page.bytes().getLong(at)));
        }
        return any;
    }

    private void take(Card card, long doorbell) {
        int number = (int) (doorbell >>> Doorbell.NUMBER_SHIFT) & Doorbell.NUMBER_MASK;
        Rung rung = new Rung(
                (int) (doorbell >>> Doorbell.KIND_SHIFT),
                (int) doorbell & Doorbell.INDEX_MASK,
                (int) (doorbell >>> Doorbell.EPOCH_SHIFT) & 1,
                (int) (doorbell >>> Doorbell.TOGGLE_SHIFT) & Doorbell.TOGGLE_MASK);
        boolean valid = (doorbell & Doorbell.VALID) != 0
                && switch (rung.kind()) {
                    case (int) Doorbell.SENDS, (int) Doorbell.RECEIVES -> ring(card.queuePair(number), rung);
                    case (int) Doorbell.SHARED_RECEIVES, (int) Doorbell.SHARED_LIMIT ->
                        ring(card.sharedQueue(number), rung);
                    case (int) Doorbell.COMPLETIONS,
                            (int) Doorbell.ARMED,
                            (int) Doorbell.ARMED_SOLICITED,
                            (int) Doorbell.CUT_OFF_SEEN -> ring(card.completionQueue(number), rung);
                    default -> false;
                };
        if (!valid) {
            card.complain(String.format("doorbell %016x, which is not that of a queue of its page", doorbell));
        }
    }

    /**
     * A doorbell of a queue.
     *
     * @param kind what it says
     * @param index how far the process has got
     * @param epoch the bit of the lap
     * @param toggle how many events the process knows of
     */
    record Rung(int kind, int index, int epoch, int toggle) {}

    private boolean ring(@Nullable CardQp qp, Rung rung) {
        if (qp == null || !(qp.spec().rings() instanceof BnxtRings rings) || rings.page() != this) {
            return false;
        }
        return rung.kind() == Doorbell.SENDS
                ? qp.sends() instanceof BnxtSends sends && sends.ring(rung)
                : qp.receives() instanceof BnxtReceives receives && receives.ring(rung);
    }

    private boolean ring(@Nullable CardSrq named, Rung rung) {
        return named instanceof BnxtSrq srq && srq.page() == this && srq.ring(rung);
    }

    private boolean ring(@Nullable CardCq named, Rung rung) {
        return named instanceof BnxtCq cq && cq.page() == this && cq.ring(rung);
    }
}
