// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.card;

import java.nio.ByteBuffer;

/** A completion queue of the device: the next entry to write, and whether the process has asked for an event. */
public final class CardCq {
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
    public record Place(int number, Pinned ring, Pinned record, int entrySize, UarPage uar) {}

    private final Place place;
    private final int entries;
    private final Complaints complaints;
    private final CardEvents events;
    private int producer;
    private int newestSolicited;
    private int seenArm = NEVER_ARMED;
    private int firedSequence = -1;
    private int armedSequence;
    private boolean armed;
    private boolean solicitedOnly;
    private boolean overrun;
    private int ineffectiveArms;

    CardCq(Place place, Complaints complaints, CardEvents events) {
        this.place = place;
        this.entries = place.ring().length() / place.entrySize();
        this.complaints = complaints;
        this.events = events;
        place.record().setRelease(ARM_WORD, NEVER_ARMED);
    }

    public int number() {
        return place.number();
    }

    /** Entries of the ring. */
    public int entries() {
        return entries;
    }

    UarPage uar() {
        return place.uar();
    }

    /** Whether the queue has overrun; no completion comes any more. */
    public boolean isOverrun() {
        return overrun;
    }

    /** How often the queue was armed with the sequence number of an event that has come already. */
    public int ineffectiveArms() {
        return ineffectiveArms;
    }

    /** The number of completions written. */
    public int written() {
        return producer;
    }

    /** Writes the next entry; false when the queue has overrun. */
    boolean put(Cqe cqe) {
        if (overrun) {
            return false;
        }
        int waiting = producer - place.record().getAcquire(0) & INDEX_MASK;
        if (waiting > entries) {
            complaints.add(String.format("the record of CQ 0x%x says more than was completed", number()));
        }
        if (waiting >= entries) {
            overrun = true;
            events.queueFailed(this, CardEvents.CQ_ERR);
            return false;
        }
        int at = (producer & entries - 1) * place.entrySize() + place.entrySize() - Cqe.BYTES;
        cqe.timestamp(0x5a5a_0000_0000L + producer).copyTo(place.ring().bytes(), at);
        int owner = (producer & entries) == 0 ? 0 : 1;
        place.ring().setRelease(at + LAST_WORD, cqe.lastWord(owner));
        producer++;
        if (cqe.isSolicited()) {
            newestSolicited = producer;
        }
        if (armed && (!solicitedOnly || cqe.isSolicited())) {
            fire();
        }
        return true;
    }

    /** Writes 64 bytes as the next entry, whatever they mean; only the owner bit is the queue's. */
    public void forge(ByteBuffer bytes) {
        int at = (producer & entries - 1) * place.entrySize() + place.entrySize() - Cqe.BYTES;
        place.ring().bytes().put(at, bytes, 0, LAST_WORD);
        int owner = (producer & entries) == 0 ? 0 : 1;
        place.ring().setRelease(at + LAST_WORD, (bytes.getInt(LAST_WORD) & ~1) | owner);
        producer++;
    }

    private void fire() {
        armed = false;
        firedSequence = armedSequence;
        events.completion(this);
    }

    /** The doorbell of the queue has been rung with {@code word}. */
    void arm(int word) {
        int recorded = place.record().getAcquire(ARM_WORD);
        if (recorded != word) {
            complaints.add(
                    String.format("CQ 0x%x armed with 0x%x, but its record says 0x%x", number(), word, recorded));
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
            ineffectiveArms++;
            return;
        }
        armed = true;
        armedSequence = sequence;
        solicitedOnly = (word & SOLICITED_ONLY) != 0;
        int newest = solicitedOnly ? newestSolicited : producer;
        int unseen = newest - word & INDEX_MASK;
        if (unseen != 0 && unseen <= entries) {
            fire();
        }
    }

    /** Whether the record asks for an event that no doorbell has asked for. */
    boolean hasNewArm() {
        return place.record().getAcquire(ARM_WORD) != seenArm;
    }

    @Override
    public String toString() {
        return String.format("CQ 0x%x of %d entries, %d written", number(), entries, producer);
    }
}
