// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.card;

import io.github.rdma4j.lab.mlx5.card.MemoryKey.Segment;
import io.github.rdma4j.lab.mlx5.card.ReceiveSource.ReceiveElement;
import org.jspecify.annotations.Nullable;

/** A shared receive queue: a linked list of entries, of which word 0 of the record says how many were ever posted. */
public final class CardSrq implements ReceiveSource {
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
            @Nullable Xrc xrc) {
        /** A queue of no XRC domain. */
        public Place(int number, int pd, Pinned ring, Pinned record, int entrySize) {
            this(number, pd, ring, record, entrySize, null);
        }
    }

    /**
     * What a shared receive queue of an XRC domain has beside the others.
     *
     * @param domain the domain
     * @param userIndex what completions carry, -1 for version 0 of the completions
     * @param cq the queue for the completions of receives
     */
    public record Xrc(int domain, int userIndex, CardCq cq) {}

    private final Place place;
    private final int entries;
    private final Complaints complaints;
    private final CardEvents events;
    private int next;
    private int used;
    private int limit;

    CardSrq(Place place, Complaints complaints, CardEvents events) {
        this.place = place;
        this.entries = place.ring().length() / place.entrySize();
        this.complaints = complaints;
        this.events = events;
    }

    public int number() {
        return place.number();
    }

    int pd() {
        return place.pd();
    }

    @Nullable
    Xrc xrc() {
        return place.xrc();
    }

    /** The number of entries that must be left for no event to come; 0 for never. */
    public int limit() {
        return limit;
    }

    private int posted() {
        return place.record().getAcquire(0) - used & COUNTER_MASK;
    }

    void limit(int value) {
        limit = value;
        checkLimit();
    }

    private void checkLimit() {
        if (limit > 0 && posted() < limit) {
            limit = 0;
            events.sharedQueue(this, CardEvents.SRQ_LIMIT_REACHED);
        }
    }

    @Override
    public boolean isEmpty() {
        return posted() == 0;
    }

    @Override
    public @Nullable ReceiveElement take() {
        if (isEmpty()) {
            return null;
        }
        if (posted() >= entries || next >= entries) {
            complaints.add(
                    String.format("SRQ 0x%x of %d entries: %d posted, next is %d", number(), entries, posted(), next));
            return null;
        }
        int index = next;
        int at = index * place.entrySize();
        int room = place.entrySize() / Segment.BYTES - 1;
        next = Short.toUnsignedInt(place.ring().bytes().getShort(at + NEXT_INDEX));
        used = used + 1 & COUNTER_MASK;
        ReceiveElement taken = ReceiveElement.read(place.ring().bytes(), at + HEAD_BYTES, room, index, complaints);
        checkLimit();
        return taken;
    }

    /** A queue pair that is reset keeps nothing of a queue that it shares. */
    @Override
    public void reset() {}
}
