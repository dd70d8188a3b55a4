// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import java.nio.ByteBuffer;

/** A completion queue of ConnectX. */
public final class Mlx5Cq extends ConnectxCq {
    private static final int SOLICITED_ONLY = 1 << 24;
    private static final int LAST_WORD = 60;

    /** What the device leaves in a new record, since the first arming may well be a word of zeros. */
    private static final int NEVER_ARMED = -1;

    /**
     * Where a completion queue is.
     *
     * @param number the number of the queue
     * @param ring the entries
     * @param record the doorbell record
     * @param entrySize bytes of an entry, 64 or 128
     * @param uar the page whose doorbell arms the queue
     */
    public record Place(int number, Pinned ring, Pinned record, int entrySize, UarPage uar)
            implements Card.Maker<CardCq> {
        @Override
        public Mlx5Cq make(Complaints complaints, CardEvents events) {
            return new Mlx5Cq(this, complaints, events);
        }
    }

    private final Place place;

    private Mlx5Cq(Place place, Complaints complaints, CardEvents events) {
        super(place.number(), place.ring().length() / place.entrySize(), place.record(), complaints, events);
        this.place = place;
        neverArmed(NEVER_ARMED);
        place.record().setRelease(ARM_WORD, NEVER_ARMED);
    }

    UarPage uar() {
        return place.uar();
    }

    private int at(int index) {
        return (index & entries() - 1) * place.entrySize() + place.entrySize() - Mlx5Cqe.BYTES;
    }

    private int owner(int index) {
        return isOdd(index) ? 1 : 0;
    }

    @Override
    void write(int index, CardCompletion completion) {
        Mlx5Cqe cqe = Mlx5Cqe.of(completion).timestamp(0x5a5a_0000_0000L + index);
        cqe.copyTo(place.ring().bytes(), at(index));
        place.ring().setRelease(at(index) + LAST_WORD, cqe.lastWord(owner(index)));
    }

    @Override
    void write(int index, ByteBuffer bytes) {
        place.ring().bytes().put(at(index), bytes, 0, LAST_WORD);
        place.ring().setRelease(at(index) + LAST_WORD, (bytes.getInt(LAST_WORD) & ~1) | owner(index));
    }

    @Override
    boolean asks(int word) {
        return word != NEVER_ARMED;
    }

    @Override
    boolean asksForSolicited(int word) {
        return (word & SOLICITED_ONLY) != 0;
    }
}
