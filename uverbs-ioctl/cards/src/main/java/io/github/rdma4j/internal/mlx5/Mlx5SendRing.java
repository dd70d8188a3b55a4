// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import static io.github.rdma4j.internal.connectx.Segments.Codes.OPCODE_ATOMIC_CS;
import static io.github.rdma4j.internal.connectx.Segments.Codes.OPCODE_ATOMIC_FA;
import static io.github.rdma4j.internal.connectx.Segments.Codes.OPCODE_SEND;
import static io.github.rdma4j.internal.connectx.Segments.Codes.OPCODE_SEND_IMM;
import static io.github.rdma4j.internal.mlx5.Wqe.WqeCodes.MLX5_INLINE_SEG;
import static io.github.rdma4j.internal.mlx5.Wqe.WqeCodes.MLX5_SEND_WQE_BB;
import static io.github.rdma4j.internal.mlx5.Wqe.WqeCodes.MLX5_SEND_WQE_SHIFT;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.connectx.ConnectxSendRing;
import io.github.rdma4j.internal.connectx.Segments.DataSeg;
import io.github.rdma4j.internal.mlx5.QueueLimits.SendSizes;
import io.github.rdma4j.internal.mlx5.Wqe.CtrlSeg;
import io.github.rdma4j.internal.mlx5.Wqe.InlDataSeg;
import io.github.rdma4j.internal.mlx5.Wqe.WqeAv;
import io.github.rdma4j.internal.mlx5.Wqe.WqeCodes;
import io.github.rdma4j.internal.mlx5.Wqe.XrcSeg;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.internal.provider.DoorbellRecords;
import io.github.rdma4j.internal.provider.RingMath;
import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.internal.uverbs.WorkRequests.SendFlags;
import io.github.rdma4j.internal.uverbs.WorkRequests.WorkRequestOpcodes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * The send queue of a ConnectX queue pair: a ring of 64-byte blocks. A work queue element begins at a block, takes as
 * many blocks as it needs, and wraps around at the end of the ring.
 */
final class Mlx5SendRing extends ConnectxSendRing {
    private static final int INDEX_SHIFT = 8;
    private static final int QPN_SHIFT = 8;
    private static final int SEND_REGISTER = 0x800;

    private final int blockMask;
    private final int qpn;
    private final DoorbellRecords.Slot record;
    private final DoorbellPage doorbells;

    /** {@link #count} after a work queue element, by its first block. */
    private final int[] counts;

    /** The number of blocks put. */
    private int blocks;

    /** The first eight bytes of the last work queue element, in memory order. */
    private long doorbell;

    /** The value of {@link #blocks} visible to the device. */
    private int publishedBlocks;

    /**
     * Creates a ring without work requests.
     *
     * @param memory the memory of the ring
     * @param identity the properties shared by all elements
     * @param record the doorbell record of the queue pair
     * @param doorbells the page of doorbells
     */
    Mlx5SendRing(
            SendSizes sizes,
            ByteBuffer memory,
            Identity identity,
            DoorbellRecords.Slot record,
            DoorbellPage doorbells) {
        super(sizes.capacities(), memory, sizes.blocks(), identity);
        this.blockMask = sizes.blocks() - 1;
        this.qpn = identity.qpn();
        this.record = record;
        this.doorbells = doorbells;
        this.counts = new int[sizes.blocks()];
    }

    @Override
    public void put(SendView request) {
        int operation = request.opcode();
        int opcode = opcodeOf(operation);
        if (opcode < 0) {
            throw new IllegalArgumentException("the provider of mlx5 has no operation " + operation + ": no memory"
                    + " windows, no invalidation, no flush, no atomic write");
        }
        int block = blocks & blockMask;
        int start = block << MLX5_SEND_WQE_SHIFT;
        int behindControl = start + CtrlSeg.BYTES;
        int destination = isXrc() ? putSharedQueue(request, behindControl) : behindControl;
        int end = putData(request, putDestination(request, opcode, destination));
        int bytes = end - start;
        long first =
                Words.bigEndianPair((blocks & COUNTER) << INDEX_SHIFT | opcode, qpn << QPN_SHIFT | bytes >> UNIT_SHIFT);
        putWord(start + CtrlSeg.OPMOD_IDX_OPCODE, first);
        putWord(
                start + CtrlSeg.SIGNATURE,
                Words.bigEndianPair(flagsOf(request), hasImmediate(operation) ? request.immediate() : 0));
        remember(block, request.wrId());
        counts[block] = count() + 1;
        count(count() + 1);
        doorbell = Words.bigEndian(first);
        blocks += (bytes + MLX5_SEND_WQE_BB - 1) >> MLX5_SEND_WQE_SHIFT;
    }

    private int flagsOf(SendView request) {
        int flags = request.flags();
        int fence = (flags & SendFlags.IBV_SEND_FENCE) != 0 ? WqeCodes.MLX5_WQE_CTRL_FENCE : 0;
        return control(flags, WqeCodes.MLX5_WQE_CTRL_CQ_UPDATE) | fence;
    }

    private static boolean hasImmediate(int operation) {
        return operation == WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_IMM
                || operation == WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE_WITH_IMM;
    }

    /** Writes the segment with the shared receive queue, which is always in the first block. */
    private int putSharedQueue(SendView request, int at) {
        putWord(at + XrcSeg.XRC_SRQN, Words.bigEndianPair(request.remoteSrqn(), 0));
        putWord(at + XrcSeg.RSVD + Integer.BYTES, 0);
        return at + XrcSeg.BYTES;
    }

    /** Writes the segments between the control segment and the data; returns the start of the data. */
    private int putDestination(SendView request, int opcode, int at) {
        if (opcode == OPCODE_SEND || opcode == OPCODE_SEND_IMM) {
            return isDatagram() ? putAddress(request, at) : at;
        }
        int next = putRemote(request, at);
        boolean swaps = opcode == OPCODE_ATOMIC_CS;
        return swaps || opcode == OPCODE_ATOMIC_FA ? putOperands(request, swaps, next) : next;
    }

    /** Writes the address vector, which ends with the first block and so never wraps around. */
    private int putAddress(SendView request, int at) {
        Mlx5AddressVector address = (Mlx5AddressVector) Objects.requireNonNull(request.address());
        address.put(ring(), at, request.remoteQkey(), request.remoteQpn());
        return at + WqeAv.BYTES;
    }

    /** Writes the data segments from {@code at}, which may be beyond the end of the ring; returns their end. */
    private int putData(SendView request, int at) {
        ByteBuffer inline = request.inlineData();
        if (inline != null) {
            return putInline(inline, at);
        }
        int pieces = request.numSge();
        requireRoom(pieces, maxSge());
        if (pieces == 1) {
            return putPiece(request, 0, at); // avoids the cost of a loop
        }
        int next = at;
        for (int i = 0; i < pieces; i++) {
            next = putPiece(request, i, next);
        }
        return next;
    }

    private int putPiece(SendView request, int index, int at) {
        int length = request.length(index);
        if (length == 0) {
            return at;
        }
        int segment = at & byteMask();
        putWord(segment + DataSeg.BYTE_COUNT, Words.bigEndianPair(length, request.lkey(index)));
        putWord(segment + DataSeg.ADDR, request.iova(index));
        return at + DataSeg.BYTES;
    }

    private int putInline(ByteBuffer inline, int at) {
        int length = inline.remaining();
        requireRoom(length, maxInline());
        if (length == 0) {
            return at;
        }
        int head = at & byteMask();
        ByteBuffer ring = ring();
        ring.putInt(head, MLX5_INLINE_SEG | length);
        int to = head + InlDataSeg.BYTES;
        int before = Math.min(length, byteMask() + 1 - to);
        ring.put(to, inline, inline.position(), before);
        if (before < length) {
            ring.put(0, inline, inline.position() + before, length - before);
        }
        return at + RingMath.toMultiple(InlDataSeg.BYTES + length, DataSeg.BYTES);
    }

    @Override
    public void discard() {
        count(published());
        blocks = publishedBlocks;
    }

    /** Rings the doorbell with one store: the first eight bytes of the last work queue element, in memory order. */
    @Override
    public int publish() {
        publishedBlocks = blocks;
        releasePublished();
        record.releaseInt(1, blocks & COUNTER);
        doorbells.ring(SEND_REGISTER, doorbell);
        return 0;
    }

    @Override
    protected int placeOf(int counter) {
        if (counts.length == 0) {
            return NONE;
        }
        int block = counter & blockMask;
        int position = counts[block];
        boolean owed = position - doneCount() > 0 && publishedCount() - position >= 0;
        return owed ? block : NONE;
    }

    @Override
    protected void finish(int block) {
        done(counts[block]);
    }

    @Override
    protected void reset() {
        super.reset();
        Arrays.fill(counts, 0);
        blocks = 0;
        publishedBlocks = 0;
    }
}
