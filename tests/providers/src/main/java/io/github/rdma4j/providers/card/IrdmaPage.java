// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.irdma.Elements.Doorbells;

/**
 * The page of doorbells of a context of irdma, and the addresses that the kernel has given the context. All queue pairs ring
 * in one place, and all completion queues in another. A doorbell that another one has overwritten before the device looked is
 * found by the queues: each says by itself what is new.
 */
public final class IrdmaPage extends DoorbellPage {
    private final Pinned page;
    private final Addresses addresses = new Addresses();

    public IrdmaPage(int index, Pinned page) {
        super(index);
        this.page = page;
        page.take(Doorbells.SENDS, UNTOUCHED);
        page.take(Doorbells.ARMED, UNTOUCHED);
    }

    /** The addresses that the kernel has given the context. */
    public Addresses addresses() {
        return addresses;
    }

    @Override
    boolean lookAtAll(Card card) {
        int sends = taken(Doorbells.SENDS);
        if (sends != UNTOUCHED) {
            ringSends(card, sends);
        }
        int armed = taken(Doorbells.ARMED);
        if (armed != UNTOUCHED) {
            arm(card, armed);
        }
        return sends != UNTOUCHED || armed != UNTOUCHED;
    }

    /** The little-endian number that was stored, or {@link #UNTOUCHED}. */
    private int taken(int at) {
        boolean touched = page.bytes().getLong(at) != UNTOUCHED;
        return touched ? Integer.reverseBytes((int) (page.take(at, UNTOUCHED) >>> Integer.SIZE)) : (int) UNTOUCHED;
    }

    private void ringSends(Card card, int qpn) {
        boolean known = false;
        for (CardQp qp : card.queuePairs()) {
            if (qp.sends() instanceof IrdmaSends of && of.page() == this) {
                of.ring();
                known |= qp.qpn() == qpn;
            }
        }
        if (!known) {
            card.complain(String.format("sends of QP 0x%x were rung, which is not of this context", qpn));
        }
    }

    private void arm(Card card, int number) {
        boolean known = false;
        for (CardCq cq : card.completionQueues()) {
            if (cq instanceof IrdmaCq of && of.page() == this) {
                of.armAsRecorded();
                known |= cq.number() == number;
            }
        }
        if (!known) {
            card.complain(String.format("CQ 0x%x was armed, which is not of this context", number));
        }
    }
}
