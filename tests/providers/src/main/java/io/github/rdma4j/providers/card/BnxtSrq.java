// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.bnxt.Elements;
import io.github.rdma4j.internal.bnxt.Elements.Doorbell;
import org.jspecify.annotations.Nullable;

/** A shared receive queue of bnxt_re. The process tells the device of the limit, which the kernel only notes. */
public final class BnxtSrq extends CardSrq {
    /**
     * Where a shared receive queue is.
     *
     * @param number the number of the queue
     * @param pd the protection domain of the queue
     * @param entries entries of the ring
     * @param ring the entries
     * @param page the doorbells of the context
     */
    public record Place(int number, int pd, int entries, Pinned ring, BnxtPage page) {}

    private final Place place;
    private final RungIndex rung;
    private int position;

    /** What the kernel has noted. */
    private int noted;

    public BnxtSrq(Card card, Place place) {
        super(place.number(), place.pd(), card.noted(), card.events());
        this.place = place;
        this.rung = new RungIndex(place.entries());
    }

    BnxtPage page() {
        return place.page();
    }

    @Override
    void limit(int value) {
        noted = value;
        super.limit(0);
    }

    boolean ring(BnxtPage.Rung doorbell) {
        if (doorbell.kind() == Doorbell.SHARED_RECEIVES) {
            return rung.advance(doorbell.index(), doorbell.epoch()) > 0;
        }
        boolean asNoted = doorbell.index() == noted;
        super.limit(noted);
        return asNoted;
    }

    @Override
    int posted() {
        return Math.floorMod(rung.index() - position, place.entries());
    }

    @Override
    public @Nullable ReceiveElement take() {
        if (isEmpty()) {
            return null;
        }
        int at = position * Elements.SHARED_BYTES;
        int tag = Integer.reverseBytes(place.ring().getInt(at + Long.BYTES));
        position = (position + 1) % place.entries();
        int most = Elements.SHARED_BYTES / Elements.SLOT;
        ReceiveElement taken = new ReceiveElement(tag, BnxtReceives.read(place.ring(), at, most, complaints()));
        checkLimit();
        return taken;
    }
}
