// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import static io.github.rdma4j.internal.mlx5.Cqe.CqeCodes.MLX5_CQE_INVALID;
import static io.github.rdma4j.internal.mlx5.Cqe.CqeCodes.MLX5_CQE_OWNER_MASK;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.mlx5.Cqe.Cqe64;
import io.github.rdma4j.internal.mlx5.Cqe.CqeCodes;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DoorbellWords;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A completion queue of ConnectX. The device writes entries of 64 bytes; the owner bit of an entry changes with every
 * lap of the ring, and so distinguishes new entries from old entries.
 */
final class Mlx5CompletionRing implements CompletionRing {
    static final int ENTRY_SHIFT = 6;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    /** The last word of an entry: the counter of the work queue element, the signature, and {@code op_own}. */
    private static final int LAST_WORD = Cqe64.WQE_COUNTER;

    private static final int OPCODE_SHIFT = 4;
    private static final int OPCODE_MASK = 0xf;
    private static final int INDEX_MASK = 0xffffff;
    private static final int EVENTS_MASK = 3;
    private static final int EVENTS_SHIFT = 28;

    private final Mlx5Context context;
    private final RingMemory memory;
    private final ByteBuffer ring;
    private final int entries;
    private final int cqn;
    private final DoorbellWords record;
    private final CompletionReader reader;

    /** The number of entries taken; wraps around. */
    private int consumer;

    /** Events taken from the completion channel. */
    private int events;

    /** Entries that were no completions. */
    private long skipped;

    Mlx5CompletionRing(Mlx5Context context, RingMemory memory, int entries, int cqn, DoorbellWords record) {
        this.context = context;
        this.memory = memory;
        this.ring = memory.buffer().duplicate().order(ByteOrder.BIG_ENDIAN);
        this.entries = entries;
        this.cqn = cqn;
        this.record = record;
        this.reader = new CompletionReader(this, ring, context);
    }

    /** Gives all entries of a new ring to the device. */
    static void handOver(ByteBuffer memory, int entries) {
        for (int entry = 0; entry < entries; entry++) {
            memory.put((entry << ENTRY_SHIFT) + Cqe64.OP_OWN, (byte) (MLX5_CQE_INVALID << OPCODE_SHIFT));
        }
    }

    @Override
    public int capacity() {
        return entries - 1;
    }

    @Override
    public <C> int poll(C[] into, CompletionSink<C> sink) {
        int first = consumer;
        int polled = 0;
        while (polled < into.length) {
            int at = at(consumer);
            int last = (int) INT.getAcquire(ring, at + LAST_WORD);
            if (!isWritten(last, consumer)) {
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

    private int at(int index) {
        return (index & (entries - 1)) << ENTRY_SHIFT;
    }

    /** True when the device has written the entry of {@code index} in this lap. */
    private boolean isWritten(int last, int index) {
        int lap = (index & entries) == 0 ? 0 : MLX5_CQE_OWNER_MASK;
        return opcode(last) != MLX5_CQE_INVALID && (last & MLX5_CQE_OWNER_MASK) == lap;
    }

    static int opcode(int last) {
        return last >>> OPCODE_SHIFT & OPCODE_MASK;
    }

    @Override
    public void arm(boolean solicitedOnly) {
        int word = (events & EVENTS_MASK) << EVENTS_SHIFT
                | (solicitedOnly ? CqeCodes.MLX5_CQ_DB_REQ_NOT_SOL : 0)
                | (consumer & INDEX_MASK);
        record.releaseSecond(word);
        long doorbell = (long) word << Integer.SIZE | cqn;
        context.doorbells().arm(Words.bigEndian(doorbell));
    }

    @Override
    public void eventTaken() {
        events++;
    }

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
        int newest = consumer;
        while (newest - consumer < entries && isWritten((int) INT.getAcquire(ring, at(newest) + LAST_WORD), newest)) {
            newest++;
        }
        int removed = 0;
        for (int index = newest - 1; index - consumer >= 0; index--) {
            if (reader.isOf(queue, at(index))) {
                if (queue instanceof QueueRings) {
                    reader.drop(at(index));
                }
                removed++;
            } else if (removed > 0) {
                move(at(index), at(index + removed));
            }
        }
        if (removed > 0) {
            consumer += removed;
            record.releaseFirst(consumer & INDEX_MASK);
        }
    }

    /** Keeps the owner bit of the place. */
    private void move(int from, int to) {
        int owner = ring.get(to + Cqe64.OP_OWN) & MLX5_CQE_OWNER_MASK;
        int operation = ring.get(from + Cqe64.OP_OWN) & ~MLX5_CQE_OWNER_MASK;
        for (int i = 0; i < Cqe64.BYTES; i += Long.BYTES) {
            ring.putLong(to + i, ring.getLong(from + i));
        }
        ring.put(to + Cqe64.OP_OWN, (byte) (operation | owner));
    }

    /** The entries of no queue pair, of no work request, or of an unknown kind. */
    @Override
    public long ignored() {
        return skipped - reader.faults();
    }

    @Override
    public void retire(boolean destroyed) {
        memory.retire();
        context.release(record, destroyed);
    }
}
