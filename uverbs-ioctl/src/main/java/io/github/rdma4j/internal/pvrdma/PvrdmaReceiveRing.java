// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.verbs.QpCap;
import io.github.rdma4j.verbs.provider.ReceiveRing;
import io.github.rdma4j.verbs.provider.ReceiveView;
import io.github.rdma4j.verbs.provider.RingMemory;
import java.nio.ByteBuffer;

/** A receive queue: we produce {@link ReceiveHeader}s with scatter-gather entries, the device consumes. */
final class PvrdmaReceiveRing implements ReceiveRing {
    private final PvrdmaContext context;
    private final RingMemory memory;
    private final ByteBuffer buffer;
    private final RingIndexes indexes;
    private final int handle;
    private final int maxSge;
    private final int slotBytes;
    private int tail;

    /**
     * A ring in {@code memory}.
     *
     * @param sends whose first page has the indexes
     */
    PvrdmaReceiveRing(PvrdmaContext context, RingMemory sends, RingMemory memory, int handle, QpCap cap) {
        this.context = context;
        this.memory = memory;
        this.buffer = memory.buffer();
        this.indexes = new RingIndexes(sends, RingIndexes.RECEIVE, cap.maxRecvWr());
        this.handle = handle;
        this.maxSge = cap.maxRecvSge();
        this.slotBytes = slotBytes(cap);
    }

    static int slotBytes(QpCap cap) {
        return Sizes.workRequest(ReceiveHeader.BYTES, cap.maxRecvSge());
    }

    @Override
    public int capacity() {
        return indexes.slots();
    }

    @Override
    public int maxSge() {
        return maxSge;
    }

    @Override
    public boolean isFull() {
        return indexes.isFull(tail, indexes.consumer());
    }

    @Override
    public void put(ReceiveView request) {
        int pieces = request.numSge();
        if (pieces > maxSge) {
            throw new IllegalArgumentException(
                    "the work request grew while it was posted: " + pieces + " entries where " + maxSge + " fit");
        }
        int wqe = indexes.slot(tail) * slotBytes;
        buffer.putLong(wqe + ReceiveHeader.WR_ID, request.wrId());
        buffer.putInt(wqe + ReceiveHeader.NUM_SGE, pieces);
        buffer.putInt(wqe + ReceiveHeader.TOTAL_LEN, 0);
        for (int i = 0; i < pieces; i++) {
            int at = wqe + ReceiveHeader.BYTES + i * Sge.BYTES;
            buffer.putLong(at + Sge.ADDR, request.iova(i));
            buffer.putInt(at + Sge.LENGTH, request.length(i));
            buffer.putInt(at + Sge.LKEY, request.lkey(i));
        }
        tail = indexes.next(tail);
        indexes.releaseProducer(tail);
        context.ringQueuePair(handle, PvrdmaAbi.PVRDMA_UAR_QP_RECV);
    }

    void reset() {
        indexes.reset();
        tail = 0;
    }

    void retire() {
        memory.retire();
    }
}
