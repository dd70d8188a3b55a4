// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.mlx4.Cqe.CqeCodes;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DoorbellWords;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.kernel.RdmaException;

/** A completion queue of ConnectX-3. The device writes entries of 32 or 64 bytes. */
final class Mlx4CompletionRing implements CompletionRing {
    private static final int INDEX_MASK = 0xffffff;
    private static final int EVENTS_MASK = 3;
    private static final int EVENTS_SHIFT = 28;

    private final Mlx4Context context;
    private final int cqn;
    private final DoorbellWords record;
    private Entries ring;
    private CompletionReader reader;

    /** The number of entries taken; wraps around. */
    private int consumer;

    /** Events taken from the completion channel, and one more. */
    private int events = 1;

    /** Entries that were no completions. */
    private long skipped;

    Mlx4CompletionRing(Mlx4Context context, Entries ring, int cqn, DoorbellWords record) {
        this.context = context;
        this.ring = ring;
        this.cqn = cqn;
        this.record = record;
        this.reader = new CompletionReader(this, ring.ring(), context);
    }

    @Override
    public int capacity() {
        return ring.count() - 1;
    }

    @Override
    public <C> int poll(C[] into, CompletionSink<C> sink) {
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
                requireFirst(polled);
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
            record.releaseFirst(consumer & INDEX_MASK);
        }
        return polled;
    }

    private void requireFirst(int polled) {
        if (polled == 0) {
            throw CompletionRing.noFirstElement();
        }
    }

    @Override
    public void arm(boolean solicitedOnly) {
        int sequence = (events & EVENTS_MASK) << EVENTS_SHIFT
                | (solicitedOnly ? CqeCodes.MLX4_CQ_DB_REQ_NOT_SOL : CqeCodes.MLX4_CQ_DB_REQ_NOT);
        int index = consumer & INDEX_MASK;
        record.releaseSecond(sequence | index);
        context.doorbells().arm(Words.bigEndian((long) (sequence | cqn) << Integer.SIZE | index));
    }

    @Override
    public void eventTaken() {
        events++;
    }

    // ---- another capacity

    @Override
    public Creation<Created.Cq, CompletionRing> resize(int entries) throws RdmaException {
        return CompletionQueueResize.prepare(context, this, entries + 1);
    }

    /** The entries that the device has written and nobody has polled. */
    int waiting() {
        int newest = consumer;
        while (newest - consumer < ring.count() && ring.isWritten(ring.lastWord(ring.at(newest)), newest)) {
            newest++;
        }
        return newest - consumer;
    }

    /** The index of the entry by which the device has left the ring; -1 if there is none among those written. */
    private int endOfRing() {
        int end = consumer + waiting();
        for (int index = consumer; index != end; index++) {
            int last = ring.lastWord(ring.at(index));
            if ((last & CqeCodes.MLX4_CQE_OPCODE_MASK) == CqeCodes.MLX4_CQE_OPCODE_RESIZE) {
                return index - consumer;
            }
        }
        return -1;
    }

    /** Moves to a ring without entries, from where the device goes on. */
    void prepareMove(Entries to) {
        to.disown(consumer + 1);
    }

    /**
     * Takes the entries along to the ring that the device writes to from now on. The entry by which the device has left
     * the old ring counts as one, so all others move up by one.
     *
     * @return false when the device has not left the old ring, or has left more entries than the new ring holds
     */
    boolean moveTo(Entries to) {
        int waiting = endOfRing();
        if (waiting < 0 || waiting >= to.count()) {
            return false;
        }
        for (int index = consumer; index != consumer + waiting; index++) {
            to.copy(ring, ring.at(index), index + 1);
        }
        consumer++;
        ring.memory().retire();
        ring = to;
        reader = new CompletionReader(this, to.ring(), context);
        record.releaseFirst(consumer & INDEX_MASK);
        return true;
    }

    // ---- queues that are gone

    @Override
    public void forget(QueueRings queues) {
        removeEntries(queues);
    }

    @Override
    public void forget(SharedReceiveRing shared) {
        removeEntries(shared);
    }

    /** Removes the entries of a queue pair or of an XRC queue and moves the other entries up, the newest first. */
    private void removeEntries(Object queue) {
        int removed = 0;
        for (int index = consumer + waiting() - 1; index - consumer >= 0; index--) {
            int at = ring.at(index);
            if (reader.isOf(queue, at)) {
                if (queue instanceof QueueRings) {
                    reader.drop(at);
                }
                removed++;
            } else if (removed > 0) {
                ring.copy(ring, at, index + removed);
            }
        }
        if (removed > 0) {
            consumer += removed;
            record.releaseFirst(consumer & INDEX_MASK);
        }
    }

    /** The entries of no queue pair, of no work request, or of an unknown kind. */
    @Override
    public long ignored() {
        return skipped;
    }

    @Override
    public void retire(boolean destroyed) {
        ring.memory().retire();
        context.release(record, destroyed);
    }
}
