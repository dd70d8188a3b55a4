// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.SendRing;
import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.internal.pvrdma.Wqe.SendHeader;
import io.github.rdma4j.internal.pvrdma.Wqe.Sge;
import io.github.rdma4j.internal.uverbs.WorkRequests.WorkRequestOpcodes;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A send queue: the process produces {@link SendHeader}s with scatter-gather entries, the device consumes. */
final class PvrdmaSendRing implements SendRing {
    private static final byte[] ZEROS = new byte[SendHeader.BYTES];

    private final PvrdmaParts parts;
    private final RingMemory memory;
    private final ByteBuffer buffer;
    private final RingIndexes indexes;
    private final int handle;
    private final boolean datagram;
    private final int maxSge;
    private final int slotBytes;
    private final int first;
    private int tail;

    /** The index of the first unpublished request. */
    private int published;

    /** Creates a ring in {@code memory}; {@code datagram} is true if each work request names its destination. */
    PvrdmaSendRing(PvrdmaParts parts, RingMemory memory, int handle, QpCap cap, boolean datagram) {
        this.parts = parts;
        this.memory = memory;
        this.buffer = memory.buffer();
        this.indexes = new RingIndexes(memory.buffer(), RingIndexes.SEND, cap.maxSendWr());
        this.handle = handle;
        this.datagram = datagram;
        this.maxSge = cap.maxSendSge();
        this.slotBytes = slotBytes(cap);
        this.first = parts.device().pageSize();
    }

    static int slotBytes(QpCap cap) {
        return Sizes.workRequest(SendHeader.BYTES, cap.maxSendSge());
    }

    @Override
    public int capacity() {
        return indexes.slots();
    }

    @Override
    public int maxSge() {
        return maxSge;
    }

    /** The device does not support inline data. */
    @Override
    public int maxInline() {
        return 0;
    }

    @Override
    public boolean isFull(int limit) {
        return indexes.used(tail, indexes.consumer()) >= limit;
    }

    @Override
    public void put(SendView request) {
        int pieces = request.numSge();
        if (request.opcode() > WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD) {
            throw new IllegalArgumentException("vmw_pvrdma has no operation " + request.opcode() + " here: no memory"
                    + " windows, no invalidation, no flush, no atomic write");
        }
        if (request.inlineData() != null || pieces > maxSge) {
            throw new IllegalArgumentException("vmw_pvrdma takes no inline data, and at most " + maxSge
                    + " scatter-gather entries here, not " + pieces);
        }
        int wqe = first + indexes.slot(tail) * slotBytes;
        buffer.put(wqe, ZEROS, 0, SendHeader.BYTES);
        buffer.putLong(wqe + SendHeader.WR_ID, request.wrId());
        buffer.putInt(wqe + SendHeader.NUM_SGE, pieces);
        buffer.putInt(wqe + SendHeader.OPCODE, request.opcode());
        buffer.putInt(wqe + SendHeader.SEND_FLAGS, request.flags());
        buffer.putInt(wqe + SendHeader.IMM_DATA, Words.bigEndian(request.immediate()));
        putRemote(wqe, request);
        for (int i = 0; i < pieces; i++) {
            int at = wqe + SendHeader.BYTES + i * Sge.BYTES;
            Sge.put(buffer, at, request.iova(i), request.length(i), request.lkey(i));
        }
        tail = indexes.next(tail);
    }

    private void putRemote(int wqe, SendView request) {
        if (datagram) {
            buffer.putInt(wqe + SendHeader.UD_REMOTE_QPN, request.remoteQpn());
            buffer.putInt(wqe + SendHeader.UD_REMOTE_QKEY, request.remoteQkey());
            PvrdmaAddress address = (PvrdmaAddress) Objects.requireNonNull(request.address());
            address.put(buffer, wqe + SendHeader.UD_AV);
        } else if (request.isAtomic()) {
            buffer.putLong(wqe + SendHeader.ATOMIC_REMOTE_ADDR, request.remoteIova());
            buffer.putLong(wqe + SendHeader.ATOMIC_COMPARE_ADD, request.compareAdd());
            buffer.putLong(wqe + SendHeader.ATOMIC_SWAP, request.swap());
            buffer.putInt(wqe + SendHeader.ATOMIC_RKEY, request.rkey());
        } else {
            buffer.putLong(wqe + SendHeader.RDMA_REMOTE_ADDR, request.remoteIova());
            buffer.putInt(wqe + SendHeader.RDMA_RKEY, request.rkey());
        }
    }

    @Override
    public void discard() {
        tail = published;
    }

    @Override
    public int publish() {
        published = tail;
        indexes.releaseProducer(tail);
        parts.ringQueuePair(handle, PvrdmaAbi.PVRDMA_UAR_QP_SEND);
        return 0;
    }

    void reset() {
        indexes.reset();
        tail = 0;
        published = 0;
    }

    void retire() {
        memory.retire();
    }
}
