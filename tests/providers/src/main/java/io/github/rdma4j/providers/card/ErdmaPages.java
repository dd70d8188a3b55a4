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
                ringSends(card, at, send);
                rung = true;
            }
            long receive = taken(receives, at);
            if (receive != UNTOUCHED) {
                ringReceives(card, at, receive);
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

    private static int qpn(long doorbell) {
        return (int) (doorbell >>> SendHeader.QPN_SHIFT);
    }

    private @Nullable ErdmaSends sendsAt(int at, @Nullable CardQp qp) {
        int own = qp == null ? -1 : sendsAt < 0 ? (qp.qpn() & Doorbells.SEND_MASK) * Doorbells.SEND_BYTES : sendsAt;
        return own == at && qp != null && qp.sends() instanceof ErdmaSends of && of.pages() == this ? of : null;
    }

    private void ringSends(Card card, int at, long doorbell) {
        CardQp rung = card.queuePair(qpn(doorbell));
        ErdmaSends of = sendsAt(at, rung);
        if (of == null) {
            complain(card, doorbell, at, "sends");
        } else {
            of.ring(doorbell);
        }
        for (CardQp other : card.queuePairs()) {
            ErdmaSends ofOther = other == rung ? null : sendsAt(at, other);
            if (ofOther != null) {
                ofOther.ringAsRecorded();
            }
        }
    }

    private @Nullable ErdmaReceives receivesAt(int at, @Nullable CardQp qp) {
        int own = qp == null ? -1 : (qp.qpn() & Doorbells.RECEIVE_MASK) * Doorbells.RECEIVE_BYTES;
        return own == at && qp != null && qp.receives() instanceof ErdmaReceives of && of.pages() == this ? of : null;
    }

    private void ringReceives(Card card, int at, long doorbell) {
        CardQp rung = card.queuePair(qpn(doorbell));
        ErdmaReceives of = receivesAt(at, rung);
        if (of == null) {
            complain(card, doorbell, at, "receives");
        } else {
            of.ring(doorbell);
        }
        for (CardQp other : card.queuePairs()) {
            ErdmaReceives ofOther = other == rung ? null : receivesAt(at, other);
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
