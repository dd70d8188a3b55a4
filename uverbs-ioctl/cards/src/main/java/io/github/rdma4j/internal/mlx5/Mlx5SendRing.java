// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import static io.github.rdma4j.internal.mlx5.Wqe.WqeCodes.MLX5_INLINE_SEG;
import static io.github.rdma4j.internal.mlx5.Wqe.WqeCodes.MLX5_OPCODE_ATOMIC_CS;
import static io.github.rdma4j.internal.mlx5.Wqe.WqeCodes.MLX5_OPCODE_ATOMIC_FA;
import static io.github.rdma4j.internal.mlx5.Wqe.WqeCodes.MLX5_OPCODE_RDMA_READ;
import static io.github.rdma4j.internal.mlx5.Wqe.WqeCodes.MLX5_OPCODE_RDMA_WRITE;
import static io.github.rdma4j.internal.mlx5.Wqe.WqeCodes.MLX5_OPCODE_RDMA_WRITE_IMM;
import static io.github.rdma4j.internal.mlx5.Wqe.WqeCodes.MLX5_OPCODE_SEND;
import static io.github.rdma4j.internal.mlx5.Wqe.WqeCodes.MLX5_OPCODE_SEND_IMM;
import static io.github.rdma4j.internal.mlx5.Wqe.WqeCodes.MLX5_SEND_WQE_BB;
import static io.github.rdma4j.internal.mlx5.Wqe.WqeCodes.MLX5_SEND_WQE_SHIFT;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.mlx5.RingSizes.Rounding;
import io.github.rdma4j.internal.mlx5.RingSizes.SendSizes;
import io.github.rdma4j.internal.mlx5.Wqe.AtomicSeg;
import io.github.rdma4j.internal.mlx5.Wqe.CtrlSeg;
import io.github.rdma4j.internal.mlx5.Wqe.DataSeg;
import io.github.rdma4j.internal.mlx5.Wqe.InlDataSeg;
import io.github.rdma4j.internal.mlx5.Wqe.RaddrSeg;
import io.github.rdma4j.internal.mlx5.Wqe.WqeAv;
import io.github.rdma4j.internal.mlx5.Wqe.WqeCodes;
import io.github.rdma4j.internal.mlx5.Wqe.XrcSeg;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.internal.provider.DoorbellWords;
import io.github.rdma4j.internal.provider.SendRing;
import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.internal.uverbs.WorkRequests.SendFlags;
import io.github.rdma4j.internal.uverbs.WorkRequests.WorkRequestOpcodes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The send queue of a ConnectX queue pair: a ring of 64-byte blocks. A work queue element begins at a block, takes as
 * many blocks as it needs, and wraps around at the end of the ring.
 *
 * <p>The counters run freely and are compared by difference. {@link #head} and {@link #blocks} belong to the producer,
 * {@link #done} to the poller of the completion queue.
 */
final class Mlx5SendRing implements SendRing {
    private static final int COUNTER = 0xffff;
    private static final int INDEX_SHIFT = 8;
    private static final int QPN_SHIFT = 8;
    private static final int UNIT_SHIFT = 4;
    private static final int WORD_SHIFT = 3;

    /** The device's number of an operation, by the kernel's. */
    private static final byte[] OPCODES = {
        MLX5_OPCODE_RDMA_WRITE,
        MLX5_OPCODE_RDMA_WRITE_IMM,
        MLX5_OPCODE_SEND,
        MLX5_OPCODE_SEND_IMM,
        MLX5_OPCODE_RDMA_READ,
        MLX5_OPCODE_ATOMIC_CS,
        MLX5_OPCODE_ATOMIC_FA
    };

    private final SendSizes sizes;

    /** Copied from {@link #sizes}, next to the other fields that posting reads. */
    private final int capacity;

    private final int maxSge;
    private final int blockMask;
    private final int qpn;
    private final boolean signalAll;
    private final boolean datagram;
    private final boolean xrc;
    private final ByteBuffer ring;

    /** {@link #ring} again, for aligned stores. */
    private final LongBuffer words;

    private final int byteMask;
    private final DoorbellWords record;
    private final DoorbellPage doorbells;
    private final int register;

    /** By the first block of a work queue element. */
    private final long[] wrIds;

    /** By the first block of a work queue element: {@link #head} after the element. */
    private final int[] heads;

    /** Work requests put. */
    private int head;

    /** Blocks put. */
    private int blocks;

    /** The first eight bytes of the last work queue element, in memory order. */
    private long doorbell;

    /** The value of {@link #blocks} that the device knows. */
    private int publishedBlocks;

    /** The value of {@link #done} that the producer saw last. */
    private int seenDone;

    /** The value of {@link #head} that the device knows. */
    private final AtomicInteger published = new AtomicInteger();

    /** Work requests that the device has finished with. */
    private final AtomicInteger done = new AtomicInteger();

    /**
     * A ring without work requests.
     *
     * @param memory the ring's memory, whole
     * @param identity what each work queue element says of its queue pair
     * @param record the doorbell record of the queue pair
     * @param doorbell where the doorbell is
     */
    Mlx5SendRing(SendSizes sizes, ByteBuffer memory, Identity identity, DoorbellWords record, Register doorbell) {
        this.sizes = sizes;
        this.capacity = sizes.requests();
        this.maxSge = sizes.maxSge();
        this.blockMask = sizes.blocks() - 1;
        this.qpn = identity.qpn();
        this.signalAll = identity.signalAll();
        this.datagram = identity.datagram();
        this.xrc = identity.xrc();
        this.ring = memory.duplicate().order(ByteOrder.BIG_ENDIAN);
        this.words = ring.asLongBuffer();
        this.byteMask = sizes.bytes() - 1;
        this.record = record;
        this.doorbells = doorbell.page();
        this.register = doorbell.offset();
        this.wrIds = new long[sizes.blocks()];
        this.heads = new int[sizes.blocks()];
    }

    /**
     * The properties that all work queue elements of a queue pair share.
     *
     * @param qpn the queue pair number
     * @param signalAll true when each work request completes with an entry of the completion queue
     * @param datagram true when each work request names its destination
     * @param xrc true when each work request names a shared receive queue of the peer
     */
    record Identity(int qpn, boolean signalAll, boolean datagram, boolean xrc) {}

    /**
     * The doorbell of a queue pair.
     *
     * @param page the page of doorbells
     * @param offset bytes in the page
     */
    record Register(DoorbellPage page, int offset) {}

    DoorbellWords record() {
        return record;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public int maxSge() {
        return maxSge;
    }

    @Override
    public int maxInline() {
        return sizes.maxInline();
    }

    @Override
    public boolean isFull(int limit) {
        if (head - seenDone < limit) {
            return false;
        }
        seenDone = done.getAcquire();
        return head - seenDone >= limit;
    }

    @Override
    public void put(SendView request) {
        int operation = request.opcode();
        if (operation < 0 || operation >= OPCODES.length) {
            throw new IllegalArgumentException("the provider of mlx5 has no operation " + operation + ": no memory"
                    + " windows, no invalidation, no flush, no atomic write");
        }
        int opcode = OPCODES[operation];
        int flags = request.flags();
        int block = blocks & blockMask;
        int start = block << MLX5_SEND_WQE_SHIFT;
        int behindControl = start + CtrlSeg.BYTES;
        int destination = xrc ? putSharedQueue(request, behindControl) : behindControl;
        int end = putData(request, putDestination(request, opcode, destination));
        int bytes = end - start;
        long first =
                Words.bigEndianPair((blocks & COUNTER) << INDEX_SHIFT | opcode, qpn << QPN_SHIFT | bytes >> UNIT_SHIFT);
        putWord(start + CtrlSeg.OPMOD_IDX_OPCODE, first);
        putWord(
                start + CtrlSeg.SIGNATURE,
                Words.bigEndianPair(control(flags), hasImmediate(operation) ? request.immediate() : 0));
        wrIds[block] = request.wrId();
        heads[block] = ++head;
        doorbell = Words.bigEndian(first);
        blocks += (bytes + MLX5_SEND_WQE_BB - 1) >> MLX5_SEND_WQE_SHIFT;
    }

    private int control(int flags) {
        int control = 0;
        if (signalAll || (flags & SendFlags.IBV_SEND_SIGNALED) != 0) {
            control |= WqeCodes.MLX5_WQE_CTRL_CQ_UPDATE;
        }
        if ((flags & SendFlags.IBV_SEND_SOLICITED) != 0) {
            control |= WqeCodes.MLX5_WQE_CTRL_SOLICITED;
        }
        if ((flags & SendFlags.IBV_SEND_FENCE) != 0) {
            control |= WqeCodes.MLX5_WQE_CTRL_FENCE;
        }
        return control;
    }

    private static boolean hasImmediate(int operation) {
        return operation == WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_IMM
                || operation == WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE_WITH_IMM;
    }

    /** The segment that names the shared receive queue is in the first block. */
    private int putSharedQueue(SendView request, int at) {
        putWord(at + XrcSeg.XRC_SRQN, Words.bigEndianPair(request.remoteSrqn(), 0));
        putWord(at + XrcSeg.RSVD + Integer.BYTES, 0);
        return at + XrcSeg.BYTES;
    }

    /** Writes what stands between the control segment and the data; returns where the data begins. */
    private int putDestination(SendView request, int opcode, int at) {
        if (opcode == MLX5_OPCODE_SEND || opcode == MLX5_OPCODE_SEND_IMM) {
            return datagram ? putAddress(request, at) : at;
        }
        int remote = at & byteMask;
        putWord(remote + RaddrSeg.RADDR, request.remoteIova());
        putWord(remote + RaddrSeg.RKEY, Words.bigEndianPair(request.rkey(), 0));
        int next = at + RaddrSeg.BYTES;
        if (opcode == MLX5_OPCODE_ATOMIC_CS || opcode == MLX5_OPCODE_ATOMIC_FA) {
            boolean swaps = opcode == MLX5_OPCODE_ATOMIC_CS;
            int operands = next & byteMask;
            putWord(operands + AtomicSeg.SWAP_ADD, swaps ? request.swap() : request.compareAdd());
            putWord(operands + AtomicSeg.COMPARE, swaps ? request.compareAdd() : 0);
            next += AtomicSeg.BYTES;
        }
        return next;
    }

    /** The address vector ends with the first block, so it never wraps around the end of the ring. */
    private int putAddress(SendView request, int at) {
        Mlx5AddressVector address = (Mlx5AddressVector) Objects.requireNonNull(request.address());
        address.put(ring, at, request.remoteQkey(), request.remoteQpn());
        return at + WqeAv.BYTES;
    }

    /** Writes the data segments from {@code at}, which may be beyond the end of the ring; returns where they end. */
    private int putData(SendView request, int at) {
        ByteBuffer inline = request.inlineData();
        if (inline != null) {
            return putInline(inline, at);
        }
        int pieces = request.numSge();
        requireRoom(pieces, maxSge);
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
        int segment = at & byteMask;
        putWord(segment + DataSeg.BYTE_COUNT, Words.bigEndianPair(length, request.lkey(index)));
        putWord(segment + DataSeg.ADDR, request.iova(index));
        return at + DataSeg.BYTES;
    }

    /** Writes eight bytes at a multiple of eight. */
    private void putWord(int at, long value) {
        words.put(at >>> WORD_SHIFT, value); // HotSpot learns from the shift that the index is not negative
    }

    private int putInline(ByteBuffer inline, int at) {
        int length = inline.remaining();
        requireRoom(length, sizes.maxInline());
        if (length == 0) {
            return at;
        }
        int head = at & byteMask;
        ring.putInt(head, MLX5_INLINE_SEG | length);
        int to = head + InlDataSeg.BYTES;
        int before = Math.min(length, sizes.bytes() - to);
        ring.put(to, inline, inline.position(), before);
        if (before < length) {
            ring.put(0, inline, inline.position() + before, length - before);
        }
        return at + Rounding.toMultiple(InlDataSeg.BYTES + length, DataSeg.BYTES);
    }

    /** A request may change while it is posted. */
    private static void requireRoom(int wanted, int most) {
        if (wanted > most) {
            throw new IllegalArgumentException(
                    "the work request grew while it was posted: to " + wanted + " where the queue takes " + most);
        }
    }

    @Override
    public void discard() {
        head = published.getPlain();
        blocks = publishedBlocks;
    }

    /** Rings the doorbell with one store: the first eight bytes of the last work queue element, in memory order. */
    @Override
    public int publish() {
        publishedBlocks = blocks;
        published.setRelease(head);
        record.releaseSecond(blocks & COUNTER);
        doorbells.ring(register, doorbell);
        return 0;
    }

    /**
     * The block that a completion names by {@code counter}; -1 if the device owes no completion for this block. Called
     * by the poller.
     */
    int blockOf(int counter) {
        if (heads.length == 0) {
            return -1;
        }
        int block = counter & blockMask;
        int position = heads[block];
        boolean owed = position - done.getPlain() > 0 && published.getAcquire() - position >= 0;
        return owed ? block : -1;
    }

    long wrId(int block) {
        return wrIds[block];
    }

    /**
     * Frees the element at {@code block} and all elements before it, which the device has finished. Called by the
     * poller.
     */
    void finish(int block) {
        done.setRelease(heads[block]);
    }

    /** Forgets the posted requests. No other thread may post or poll at the same time. */
    void reset() {
        Arrays.fill(heads, 0);
        head = 0;
        blocks = 0;
        publishedBlocks = 0;
        seenDone = 0;
        published.set(0);
        done.set(0);
    }
}
