// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

/** A completion queue of the ConnectX family: its record says how far the process has got, and which event it asks for. */
abstract class ConnectxCq extends CardCq {
    private static final int INDEX_MASK = 0xff_ffff;
    private static final int SEQUENCE_SHIFT = 28;
    private static final int SEQUENCE_MASK = 3;
    static final int ARM_WORD = Integer.BYTES;

    private final Pinned record;
    private int seenArm;
    private int firedSequence = -1;
    private int armedSequence;

    ConnectxCq(int number, int entries, Pinned record, Complaints complaints, CardEvents events) {
        super(number, entries, complaints, events);
        this.record = record;
    }

    /** Says what is in the word of a record that has asked for no event; it is 0 if nobody says so. */
    final void neverArmed(int word) {
        seenArm = word;
    }

    /** Whether a word of the record asks for an event; one that cannot be is complained about. */
    abstract boolean asks(int word);

    /** Whether a word that asks for an event asks for one of a solicited message. */
    abstract boolean asksForSolicited(int word);

    @Override
    final int waiting() {
        return written() - record.getAcquire(0) & INDEX_MASK;
    }

    /** Whether an entry is one of an odd lap. */
    final boolean isOdd(int index) {
        return (index & entries()) != 0;
    }

    @Override
    final void fired() {
        firedSequence = armedSequence;
    }

    /** The doorbell of the queue has been rung with {@code word}. */
    final void arm(int word) {
        int recorded = record.getAcquire(ARM_WORD);
        if (recorded != word) {
            complaints()
                    .add(String.format("CQ 0x%x armed with 0x%x, but its record says 0x%x", number(), word, recorded));
        }
        armAsRecorded();
    }

    /** Takes what the record says when another queue's doorbell may have taken the place of this queue's. */
    final void armAsRecorded() {
        int word = record.getAcquire(ARM_WORD);
        seenArm = word;
        if (!asks(word)) {
            return;
        }
        int sequence = word >>> SEQUENCE_SHIFT & SEQUENCE_MASK;
        if (sequence == firedSequence) {
            passOverArm();
            return;
        }
        armedSequence = sequence;
        arm(asksForSolicited(word), word, INDEX_MASK);
    }

    /** Whether the record asks for an event that no doorbell has asked for. */
    final boolean hasNewArm() {
        return record.getAcquire(ARM_WORD) != seenArm;
    }
}
