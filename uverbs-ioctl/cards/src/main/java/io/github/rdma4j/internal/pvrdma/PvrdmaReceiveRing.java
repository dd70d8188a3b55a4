// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.provider.ReceiveRing.ReceiveView;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.pvrdma.Wqe.ReceiveHeader;
import io.github.rdma4j.internal.pvrdma.Wqe.Sge;
import java.nio.ByteBuffer;

/**
 * A receive queue, of a queue pair or shared: the process produces {@link ReceiveHeader}s with scatter-gather entries,
 * the device consumes.
 */
final class PvrdmaReceiveRing implements SharedReceiveRing {
    private final RingMemory memory;
    private final ByteBuffer buffer;
    private final int first;
    private final RingIndexes indexes;
    private final int maxSge;
    private final int slotBytes;
    private final Runnable bell;
    private int tail;

    /**
     * Creates a ring in {@code memory} from {@code first} on.
     *
     * @param maxSge the maximum number of scatter-gather entries of a receive
     * @param bell notifies the device of a new receive
     */
    PvrdmaReceiveRing(RingMemory memory, int first, RingIndexes indexes, int maxSge, Runnable bell) {
        this.memory = memory;
        this.buffer = memory.buffer();
        this.first = first;
        this.indexes = indexes;
        this.maxSge = maxSge;
        this.slotBytes = slotBytes(maxSge);
        this.bell = bell;
    }

    static int slotBytes(int maxSge) {
        return Sizes.workRequest(ReceiveHeader.BYTES, maxSge);
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
    public boolean isFull(int limit) {
        return indexes.used(tail, indexes.consumer()) >= limit;
    }

    @Override
    public void put(ReceiveView request) {
        int pieces = request.numSge();
        ReceiveRing.requireRoom(pieces, maxSge);
        int wqe = first + indexes.slot(tail) * slotBytes;
        buffer.putLong(wqe + ReceiveHeader.WR_ID, request.wrId());
        buffer.putInt(wqe + ReceiveHeader.NUM_SGE, pieces);
        buffer.putInt(wqe + ReceiveHeader.TOTAL_LEN, 0);
        for (int i = 0; i < pieces; i++) {
            int at = wqe + ReceiveHeader.BYTES + i * Sge.BYTES;
            Sge.put(buffer, at, request.iova(i), request.length(i), request.lkey(i));
        }
        tail = indexes.next(tail);
        indexes.releaseProducer(tail);
        bell.run();
    }

    void reset() {
        indexes.reset();
        tail = 0;
    }

    @Override
    public void retire(boolean destroyed) {
        memory.retire();
    }
}
