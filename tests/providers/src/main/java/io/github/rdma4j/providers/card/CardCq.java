// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import java.nio.ByteBuffer;

/** A completion queue of the device: the next entry to write, and whether the process has asked for an event. */
public abstract class CardCq {
    private final int number;
    private int entries;
    private final Complaints complaints;
    private final CardEvents events;
    private int producer;
    private int newestSolicited;
    private boolean armed;
    private boolean solicitedOnly;
    private boolean overrun;
    private int ineffectiveArms;

    /** A queue without entries, of which there is room for {@code entries}. */
    CardCq(int number, int entries, Complaints complaints, CardEvents events) {
        this.number = number;
        this.entries = entries;
        this.complaints = complaints;
        this.events = events;
    }

    public final int number() {
        return number;
    }

    /** Entries of the ring. */
    public final int entries() {
        return entries;
    }

    /** The queue goes on in a ring of {@code value} entries. */
    final void resized(int value) {
        entries = value;
    }

    /** The number of completions written. */
    public final int written() {
        return producer;
    }

    /** How often the queue was armed with the sequence number of an event that has come already. */
    public final int ineffectiveArms() {
        return ineffectiveArms;
    }

    /** The process has armed the queue with the sequence number of an event that has come already. */
    final void passOverArm() {
        ineffectiveArms++;
    }

    final Complaints complaints() {
        return complaints;
    }

    /** The entries that the process has not taken yet, as far as the process tells the device. */
    abstract int waiting();

    /** Writes entry {@code index}, which is counted without end. */
    abstract void write(int index, CardCompletion completion);

    /** Writes the bytes of an entry, whatever they mean; only what marks the entry as new is the queue's. */
    abstract void write(int index, ByteBuffer bytes);

    /** Whether the device writes no entry for a completion, because another entry says it. */
    boolean passesOver(CardCompletion completion) {
        return false;
    }

    /** An event has come. */
    void fired() {}

    /** Writes the next entry; false when the queue has overrun. */
    final boolean put(CardCompletion completion) {
        if (overrun) {
            return false;
        }
        if (passesOver(completion)) {
            return true;
        }
        int waiting = waiting();
        if (waiting > entries) {
            complaints.add(String.format("the record of CQ 0x%x says more than was completed", number()));
        }
        if (waiting >= entries) {
            overrun = true;
            events.queueFailed(this, CardEvents.CQ_ERR);
            return false;
        }
        write(producer, completion);
        producer++;
        if (completion.solicited) {
            newestSolicited = producer;
        }
        if (armed && (!solicitedOnly || completion.solicited)) {
            fire();
        }
        return true;
    }

    /** Writes bytes as the next entry, whatever they mean; only what marks the entry as new is the queue's. */
    public final void forge(ByteBuffer bytes) {
        write(producer++, bytes);
    }

    private void fire() {
        armed = false;
        fired();
        events.completion(this);
    }

    /**
     * The process asks for an event.
     *
     * @param onlySolicited whether the event is for a solicited message or an error
     * @param consumed how many entries the process had taken then
     * @param mask of {@code consumed}
     */
    final void arm(boolean onlySolicited, int consumed, int mask) {
        armed = true;
        solicitedOnly = onlySolicited;
        int newest = onlySolicited ? newestSolicited : producer;
        int unseen = newest - consumed & mask;
        if (unseen != 0 && unseen <= entries) {
            fire();
        }
    }

    @Override
    public String toString() {
        return String.format("CQ 0x%x of %d entries, %d written", number(), entries, producer);
    }
}
