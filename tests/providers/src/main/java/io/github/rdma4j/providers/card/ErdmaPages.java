// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.erdma.Elements.Doorbells;
import io.github.rdma4j.internal.erdma.Elements.SendHeader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The three pages of doorbells of a context of erdma: for sends, for receives and for completion queues. A store is seen by looking:
 * the register then no longer holds what the device left there. A doorbell that another one has overwritten before the device looked
 * is found by the record of its queue; such a record counts only when the register has been rung at all.
 */
public final class ErdmaPages extends DoorbellPage {
    private static final ByteBuffer ALL_UNTOUCHED = ByteBuffer.wrap(untouched());

    /** A queue that rings in the pages. */
    interface Rung {
        ErdmaPages pages();

        void ring(long doorbell);

        /** Takes the record when another queue's doorbell may have taken the place of this queue's. */
        void ringAsRecorded();
    }

    private final Pinned sends;
    private final Pinned receives;
    private final Pinned completions;

    /** The place of the doorbell of all sends, -1 if each queue pair has a place. */
    private final int sendsAt;

    public ErdmaPages(int index, Pinned sends, Pinned receives, Pinned completions, int sendsAt) {
        super(index);
        this.sends = sends;
        this.receives = receives;
        this.completions = completions;
        this.sendsAt = sendsAt;
        for (int at = 0; at < Doorbells.PAGE; at += Long.BYTES) {
            sends.take(at, UNTOUCHED);
            receives.take(at, UNTOUCHED);
            completions.take(at, UNTOUCHED);
        }
    }

    private static byte[] untouched() {
        byte[] page = new byte[Doorbells.PAGE];
        Arrays.fill(page, (byte) UNTOUCHED);
        return page;
    }

    @Override
    boolean lookAtAll(Card card) {
        if (isUntouched(sends) && isUntouched(receives) && isUntouched(completions)) {
            return false;
        }
        boolean rung = false;
        for (int at = 0; at < Doorbells.PAGE; at += Long.BYTES) {
            long send = taken(sends, at);
            if (send != UNTOUCHED) {
                ring(true, card, at, send);
                rung = true;
            }
            long receive = taken(receives, at);
            if (receive != UNTOUCHED) {
                ring(false, card, at, receive);
                rung = true;
            }
            long completion = taken(completions, at);
            if (completion != UNTOUCHED) {
                arm(card, at, completion);
                rung = true;
            }
        }
        return rung;
    }

    private static boolean isUntouched(Pinned page) {
        return page.bytes().mismatch(ALL_UNTOUCHED) < 0;
    }

    /** The little-endian number that was stored, or {@link #UNTOUCHED}. */
    private static long taken(Pinned page, int at) {
        return page.bytes().getLong(at) == UNTOUCHED ? UNTOUCHED : Long.reverseBytes(page.take(at, UNTOUCHED));
    }

    /** The send queue, or the receive queue, that rings at a place of its page; null if it is not that of a queue pair. */
    private @Nullable Rung at(boolean ofSends, int at, @Nullable CardQp qp) {
        if (qp == null) {
            return null;
        }
        int own = !ofSends
                ? (qp.qpn() & Doorbells.RECEIVE_MASK) * Doorbells.RECEIVE_BYTES
                : sendsAt < 0 ? (qp.qpn() & Doorbells.SEND_MASK) * Doorbells.SEND_BYTES : sendsAt;
        Object queue = ofSends ? qp.sends() : qp.receives();
        return own == at && queue instanceof Rung of && of.pages() == this ? of : null;
    }

    private void ring(boolean ofSends, Card card, int at, long doorbell) {
        CardQp rung = card.queuePair((int) (doorbell >>> SendHeader.QPN_SHIFT));
        Rung of = at(ofSends, at, rung);
        if (of == null) {
            complain(card, doorbell, at, ofSends ? "sends" : "receives");
        } else {
            of.ring(doorbell);
        }
        for (CardQp other : card.queuePairs()) {
            Rung ofOther = other == rung ? null : at(ofSends, at, other);
            if (ofOther != null) {
                ofOther.ringAsRecorded();
            }
        }
    }

    private boolean isOf(int at, CardCq cq) {
        return (cq.number() & Doorbells.COMPLETION_MASK) * Doorbells.COMPLETION_BYTES == at
                && cq instanceof ErdmaCq of
                && of.pages() == this;
    }

    private void arm(Card card, int at, long doorbell) {
        CardCq armed = card.completionQueue((int) (doorbell >>> Doorbells.CQN_SHIFT) & Doorbells.CONSUMER_MASK);
        if (armed == null || !isOf(at, armed)) {
            complain(card, doorbell, at, "completion queues");
        } else {
            ((ErdmaCq) armed).arm(doorbell);
        }
        for (CardCq other : card.completionQueues()) {
            if (other != armed && isOf(at, other)) {
                ((ErdmaCq) other).armAsRecorded();
            }
        }
    }

    private static void complain(Card card, long doorbell, int at, String of) {
        card.complain(String.format("doorbell %016x at 0x%x of %s, which is not that of its queue", doorbell, at, of));
    }
}
