// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import java.nio.ByteBuffer;

/** A completion queue of ConnectX. */
public final class Mlx5Cq extends CardCq {
    private static final int INDEX_MASK = 0xff_ffff;
    private static final int SEQUENCE_SHIFT = 28;
    private static final int SEQUENCE_MASK = 3;
    private static final int SOLICITED_ONLY = 1 << 24;
    private static final int ARM_WORD = Integer.BYTES;
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
    private int seenArm = NEVER_ARMED;
    private int firedSequence = -1;
    private int armedSequence;

    private Mlx5Cq(Place place, Complaints complaints, CardEvents events) {
        super(place.number(), place.ring().length() / place.entrySize(), complaints, events);
        this.place = place;
        place.record().setRelease(ARM_WORD, NEVER_ARMED);
    }

    UarPage uar() {
        return place.uar();
    }

    @Override
    int waiting() {
        return written() - place.record().getAcquire(0) & INDEX_MASK;
    }

    private int at(int index) {
        return (index & entries() - 1) * place.entrySize() + place.entrySize() - Mlx5Cqe.BYTES;
    }

    private int owner(int index) {
        return (index & entries()) == 0 ? 0 : 1;
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
    void fired() {
        firedSequence = armedSequence;
    }

    /** The doorbell of the queue has been rung with {@code word}. */
    void arm(int word) {
        int recorded = place.record().getAcquire(ARM_WORD);
        if (recorded != word) {
            complaints()
                    .add(String.format("CQ 0x%x armed with 0x%x, but its record says 0x%x", number(), word, recorded));
        }
        armAsRecorded();
    }

    /** Takes what the record says when another queue's doorbell may have taken the place of this queue's. */
    void armAsRecorded() {
        int word = place.record().getAcquire(ARM_WORD);
        seenArm = word;
        if (word == NEVER_ARMED) {
            return;
        }
        int sequence = word >>> SEQUENCE_SHIFT & SEQUENCE_MASK;
        if (sequence == firedSequence) {
            passOverArm();
            return;
        }
        armedSequence = sequence;
        arm((word & SOLICITED_ONLY) != 0, word, INDEX_MASK);
    }

    /** Whether the record asks for an event that no doorbell has asked for. */
    boolean hasNewArm() {
        return place.record().getAcquire(ARM_WORD) != seenArm;
    }
}
