// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.connectx;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DoorbellRecords;
import io.github.rdma4j.internal.provider.QueueMemory;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import java.nio.ByteBuffer;
import java.util.function.BiFunction;

/** A completion queue. */
public abstract class ConnectxCompletionRing implements CompletionRing {
    private static final int INDEX_MASK = 0xffffff;
    private static final int EVENTS_MASK = 3;
    private static final int EVENTS_SHIFT = 28;

    private final QueueMemory memory;
    private final DoorbellRecords.Slot record;
    private final BiFunction<CompletionRing, ByteBuffer, CompletionReader> readers;
    private Entries ring;
    private CompletionReader reader;

    /** The number of entries taken; wraps around. */
    private int consumer;

    /**
     * The number of events taken from the completion channel, plus an initial number that depends on the generation.
     */
    private int events;

    /** The number of skipped entries, which were no completions. */
    private long skipped;

    /**
     * Creates a queue without completions.
     *
     * @param firstEvent the initial event count of the arm word
     * @param readers creates a reader of the entries of a ring, for a completion queue
     */
    protected ConnectxCompletionRing(
            QueueMemory memory,
            Entries ring,
            int firstEvent,
            BiFunction<CompletionRing, ByteBuffer, CompletionReader> readers) {
        this.memory = memory;
        this.record = memory.slot();
        this.ring = ring;
        this.events = firstEvent;
        this.readers = readers;
        this.reader = readers.apply(this, ring.ring());
    }

    @Override
    public final int capacity() {
        return ring.count() - 1;
    }

    @Override
    public final <C> int poll(C[] into, CompletionSink<C> sink) {
        int first = consumer;
        int polled = 0;
        while (polled < into.length) {
            int at = ring.at(consumer);
            int last = ring.lastWord(at);
            if (!ring.isWritten(last, consumer)) {
                break;
            }
            C completion = into[polled];
            if (completion == null) {
                CompletionRing.requireFirst(polled);
                break;
            }
            consumer++;
            if (reader.read(at, last, completion, sink)) {
                polled++;
            } else {
                skipped++;
            }
        }
        if (consumer != first) {
            showConsumer();
        }
        return polled;
    }

    private void showConsumer() {
        record.releaseInt(0, index());
    }

    // ---- events

    /** The number of events taken from the completion channel, in the form of the arm word. */
    protected final int events() {
        return (events & EVENTS_MASK) << EVENTS_SHIFT;
    }

    /** The index of the next entry, in the form of the arm word. */
    protected final int index() {
        return consumer & INDEX_MASK;
    }

    /** The queue's doorbell record, whose second word is the arm word. */
    protected final DoorbellRecords.Slot record() {
        return record;
    }

    @Override
    public final void eventTaken() {
        events++;
    }

    // ---- another ring

    /** The last word of the entry {@code ahead} entries after the next. */
    protected final int lastWord(int ahead) {
        return ring.lastWord(ring.at(consumer + ahead));
    }

    /**
     * Gives all entries of {@code to} to the device, which continues there after the entry by which it leaves this
     * ring.
     */
    protected final void prepareMove(Entries to) {
        to.disown(consumer + 1);
    }

    /**
     * Moves the oldest {@code count} entries to the ring that the device now writes to. The entry by which the device
     * has left the old ring counts as well, so all entries move up by one.
     */
    protected final void move(int count, Entries to, RingMemory of) {
        for (int index = consumer; index != consumer + count; index++) {
            to.copy(ring, ring.at(index), index + 1);
        }
        consumer++;
        memory.moveTo(of);
        ring = to;
        reader = readers.apply(this, to.ring());
        showConsumer();
    }

    /** The number of entries that the device has written and that have not been polled. */
    protected final int waiting() {
        int newest = consumer;
        while (newest - consumer < ring.count() && ring.isWritten(ring.lastWord(ring.at(newest)), newest)) {
            newest++;
        }
        return newest - consumer;
    }

    // ---- queues that are gone

    @Override
    public final void forget(QueueRings queues) {
        removeEntries(queues);
    }

    @Override
    public final void forget(SharedReceiveRing shared) {
        removeEntries(shared);
    }

    /** Removes the entries of a queue pair or of an XRC queue, and moves the other entries up, newest first. */
    private void removeEntries(Object queue) {
        int removed = 0;
        for (int index = consumer + waiting() - 1; index - consumer >= 0; index--) {
            int at = ring.at(index);
            int last = ring.lastWord(at);
            if (reader.isOf(queue, at, last)) {
                if (queue instanceof QueueRings) {
                    reader.drop(at, last);
                }
                removed++;
            } else if (removed > 0) {
                ring.copy(ring, at, index + removed);
            }
        }
        if (removed > 0) {
            consumer += removed;
            showConsumer();
        }
    }

    /** The number of entries of no queue pair, of no work request, or of an unknown kind. */
    @Override
    public final long ignored() {
        return skipped - reader.postedAgain();
    }

    @Override
    public final void retire(boolean destroyed) {
        memory.release(destroyed);
    }
}
