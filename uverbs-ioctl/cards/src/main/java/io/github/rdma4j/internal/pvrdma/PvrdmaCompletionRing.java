// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.pvrdma.Wqe.Cqe;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout;
import java.nio.ByteBuffer;

/** A completion queue: the device produces {@link Cqe}s, the process consumes. */
final class PvrdmaCompletionRing implements CompletionRing {
    /** The handle of no queue pair. */
    private static final long NO_QUEUE_PAIR = -1;

    private final PvrdmaParts parts;
    private final RingMemory memory;
    private final ByteBuffer buffer;
    private final RingIndexes indexes;
    private final int cqn;
    private final int first;
    private int head;
    private long ignored;

    PvrdmaCompletionRing(PvrdmaParts parts, RingMemory memory, int entries, int cqn) {
        this.parts = parts;
        this.memory = memory;
        this.buffer = memory.buffer();
        this.indexes = new RingIndexes(memory.buffer(), RingIndexes.RECEIVE, entries);
        this.cqn = cqn;
        this.first = parts.device().pageSize();
    }

    @Override
    public int capacity() {
        return indexes.slots();
    }

    /**
     * Rings the doorbell that makes the device deliver completions, as rdma-core does; without the doorbell the ring
     * may stay empty.
     */
    @Override
    public <C> int poll(C[] into, CompletionSink<C> sink) {
        int tail = indexes.producer();
        if (head == tail) {
            parts.ringCompletions(cqn, PvrdmaAbi.PVRDMA_UAR_CQ_POLL);
            tail = indexes.producer();
        }
        int polled = 0;
        while (head != tail && polled < into.length && into[polled] != null) {
            polled += read(entry(head), into[polled], sink);
            head = indexes.next(head);
        }
        if (head != tail && polled == 0 && into.length > 0) {
            throw CompletionRing.noFirstElement();
        }
        indexes.releaseConsumer(head);
        return polled;
    }

    private int entry(int index) {
        return first + indexes.slot(index) * Cqe.BYTES;
    }

    /** Reads a completion. Returns 0, and reads nothing, if it belongs to no existing queue pair. */
    private <C> int read(int entry, C into, CompletionSink<C> sink) {
        long handle = buffer.getLong(entry + Cqe.QP);
        int qpn = parts.numbers().numberOf(handle);
        if (qpn == 0) {
            ignored += handle == NO_QUEUE_PAIR ? 0 : 1;
            return 0;
        }
        sink.setResult(
                into,
                buffer.getLong(entry + Cqe.WR_ID),
                buffer.getInt(entry + Cqe.STATUS),
                buffer.getInt(entry + Cqe.OPCODE),
                qpn);
        sink.setPayload(
                into,
                buffer.getInt(entry + Cqe.BYTE_LEN),
                buffer.getInt(entry + Cqe.IMM_DATA),
                buffer.getInt(entry + Cqe.WC_FLAGS),
                buffer.getInt(entry + Cqe.VENDOR_ERR));
        sink.setSource(into, buffer.getInt(entry + Cqe.SRC_QP), path(entry));
        return 1;
    }

    private long path(int entry) {
        return WorkCompletionLayout.path(
                StructFields.getU16(buffer, entry + Cqe.PKEY_INDEX),
                StructFields.getU16(buffer, entry + Cqe.SLID),
                StructFields.getU8(buffer, entry + Cqe.SL),
                StructFields.getU8(buffer, entry + Cqe.DLID_PATH_BITS));
    }

    /** The number of completions that belong to no queue pair. */
    @Override
    public long ignored() {
        return ignored;
    }

    /** QEMU's device misunderstands this doorbell and never raises an event for a program. */
    @Override
    public void arm(boolean solicitedOnly) {
        parts.ringCompletions(cqn, solicitedOnly ? PvrdmaAbi.PVRDMA_UAR_CQ_ARM_SOL : PvrdmaAbi.PVRDMA_UAR_CQ_ARM);
    }

    /** First rings the doorbell for pending completions, which QEMU's device keeps when a queue pair is reset. */
    @Override
    public void forget(QueueRings queues) {
        parts.ringCompletions(cqn, PvrdmaAbi.PVRDMA_UAR_CQ_POLL);
        long handle = ((PvrdmaQueueRings) queues).handle();
        int tail = indexes.producer();
        for (int i = head; i != tail; i = indexes.next(i)) {
            if (buffer.getLong(entry(i) + Cqe.QP) == handle) {
                buffer.putLong(entry(i) + Cqe.QP, NO_QUEUE_PAIR);
            }
        }
    }

    @Override
    public void retire(boolean destroyed) {
        memory.retire();
    }
}
