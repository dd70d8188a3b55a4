// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.providers.card.MemoryKey.Segment;
import org.jspecify.annotations.Nullable;

/** A shared receive queue of ConnectX: a linked list of entries, of which word 0 of the record says how many were ever posted. */
public final class Mlx5Srq extends CardSrq {
    private static final int COUNTER_MASK = 0xffff;
    private static final int NEXT_INDEX = 2;
    private static final int HEAD_BYTES = 16;

    /**
     * Where a shared receive queue is.
     *
     * @param number the number of the queue
     * @param pd the protection domain of the queue
     * @param ring the entries
     * @param record the doorbell record
     * @param entrySize bytes of an entry
     * @param xrc the XRC domain of the queue, null for a queue of none
     */
    public record Place(
            int number,
            int pd,
            Pinned ring,
            Pinned record,
            int entrySize,
            @Nullable Xrc xrc) {}

    private final Place place;
    private final int entries;
    private int next;
    private int used;

    public Mlx5Srq(Card card, Place place) {
        super(place.number(), place.pd(), card.noted(), card.events());
        this.place = place;
        this.entries = place.ring().length() / place.entrySize();
    }

    @Override
    @Nullable
    Xrc xrc() {
        return place.xrc();
    }

    @Override
    int posted() {
        return place.record().getAcquire(0) - used & COUNTER_MASK;
    }

    @Override
    public @Nullable ReceiveElement take() {
        if (isEmpty()) {
            return null;
        }
        if (posted() >= entries || next >= entries) {
            complaints()
                    .add(String.format(
                            "SRQ 0x%x of %d entries: %d posted, next is %d", number(), entries, posted(), next));
            return null;
        }
        int index = next;
        int at = index * place.entrySize();
        int room = place.entrySize() / Segment.BYTES - 1;
        next = Short.toUnsignedInt(place.ring().bytes().getShort(at + NEXT_INDEX));
        used = used + 1 & COUNTER_MASK;
        ReceiveElement taken = ConnectxReceives.read(place.ring().bytes(), at + HEAD_BYTES, room, index, complaints());
        checkLimit();
        return taken;
    }
}
