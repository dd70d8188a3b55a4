// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import static io.github.rdma4j.internal.mlx4.Wqe.WqeCodes.MLX4_OPCODE_ATOMIC_CS;
import static io.github.rdma4j.internal.mlx4.Wqe.WqeCodes.MLX4_OPCODE_ATOMIC_FA;
import static io.github.rdma4j.internal.mlx4.Wqe.WqeCodes.MLX4_OPCODE_BIND_MW;
import static io.github.rdma4j.internal.mlx4.Wqe.WqeCodes.MLX4_OPCODE_LOCAL_INVAL;
import static io.github.rdma4j.internal.mlx4.Wqe.WqeCodes.MLX4_OPCODE_RDMA_READ;
import static io.github.rdma4j.internal.mlx4.Wqe.WqeCodes.MLX4_OPCODE_RDMA_WRITE;
import static io.github.rdma4j.internal.mlx4.Wqe.WqeCodes.MLX4_OPCODE_RDMA_WRITE_IMM;
import static io.github.rdma4j.internal.mlx4.Wqe.WqeCodes.MLX4_OPCODE_SEND;
import static io.github.rdma4j.internal.mlx4.Wqe.WqeCodes.MLX4_OPCODE_SEND_IMM;
import static io.github.rdma4j.internal.mlx4.Wqe.WqeCodes.MLX4_OPCODE_SEND_INVAL;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.mlx4.RingSizes.SendSizes;
import io.github.rdma4j.internal.mlx4.Wqe.AtomicSeg;
import io.github.rdma4j.internal.mlx4.Wqe.BindSeg;
import io.github.rdma4j.internal.mlx4.Wqe.CtrlSeg;
import io.github.rdma4j.internal.mlx4.Wqe.DataSeg;
import io.github.rdma4j.internal.mlx4.Wqe.DatagramSeg;
import io.github.rdma4j.internal.mlx4.Wqe.LocalInvalSeg;
import io.github.rdma4j.internal.mlx4.Wqe.RaddrSeg;
import io.github.rdma4j.internal.mlx4.Wqe.WqeCodes;
import io.github.rdma4j.internal.provider.SendRing;
import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.internal.provider.SendView.BindView;
import io.github.rdma4j.internal.uverbs.WorkRequests.SendFlags;
import io.github.rdma4j.internal.uverbs.WorkRequests.WorkRequestOpcodes;
import io.github.rdma4j.verbs.attr.Access;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The send queue of a ConnectX-3 queue pair: a ring of elements of one size. The first bit of an element changes with
 * every lap, and so gives the element to the device. The device reads ahead, so elements that it may read must not look
 * valid before they are posted: see {@link ElementData}. An element is stamped once it is so far ahead that the device
 * cannot have read it.
 *
 * <p>{@link #put} leaves the first bit of the last lap, because an element that the device owns cannot be taken back;
 * {@link #publish} gives the elements to the device. The counters run freely and are compared by difference.
 */
final class Mlx4SendRing implements SendRing {
    private static final int COUNTER = 0xffff;
    private static final long OWNER = 1L << 63;
    private static final int UNIT_SHIFT = 4;
    private static final int WORD_SHIFT = 3;
    private static final int SRQN_SHIFT = 8;

    /** The device's number of an operation, by the kernel's. */
    private static final byte[] OPCODES = {
        MLX4_OPCODE_RDMA_WRITE,
        MLX4_OPCODE_RDMA_WRITE_IMM,
        MLX4_OPCODE_SEND,
        MLX4_OPCODE_SEND_IMM,
        MLX4_OPCODE_RDMA_READ,
        MLX4_OPCODE_ATOMIC_CS,
        MLX4_OPCODE_ATOMIC_FA,
        MLX4_OPCODE_LOCAL_INVAL,
        MLX4_OPCODE_BIND_MW,
        MLX4_OPCODE_SEND_INVAL
    };

    private final SendSizes sizes;

    /** Copied from {@link #sizes}, next to the other fields that posting reads. */
    private final int mask;

    private final int shift;
    private final int spare;
    private final boolean signalAll;

    /** Bytes before the data of most requests at most. */
    private final int usual;

    private final boolean datagram;
    private final boolean xrc;
    private final ByteBuffer ring;

    /** {@link #ring} again, for aligned stores. */
    private final LongBuffer words;

    private final ElementData data;
    private final Mlx4Doorbells doorbells;
    private final int doorbell;

    /** By element: the number of the work request. */
    private final long[] wrIds;

    /** By element: bytes that may look valid, because a work request was written there. */
    private final short[] lengths;

    /** By element: its first eight bytes, without the bit that gives the element to the device. */
    private final long[] firsts;

    /** Work requests put. */
    private int head;

    /** The value of {@link #head} that the device knows, for the producer. */
    private int publishedHead;

    /** The value of {@link #done} that the producer saw last. */
    private int seenDone;

    /** The value of {@link #head} that the device knows, for the poller. */
    private final AtomicInteger published = new AtomicInteger();

    /** Work requests that the device has finished with. */
    private final AtomicInteger done = new AtomicInteger();

    /**
     * A ring without work requests.
     *
     * @param memory the ring's memory, whole
     * @param identity what each work queue element says of its queue pair
     */
    Mlx4SendRing(SendSizes sizes, ByteBuffer memory, Identity identity, Mlx4Doorbells doorbells) {
        this.sizes = sizes;
        this.mask = sizes.count() - 1;
        this.shift = sizes.shift();
        this.spare = sizes.spare();
        this.signalAll = identity.signalAll();
        this.datagram = identity.datagram();
        this.usual = CtrlSeg.BYTES + (datagram ? DatagramSeg.BYTES : RaddrSeg.BYTES);
        this.xrc = identity.xrc();
        this.ring = memory.duplicate().order(ByteOrder.BIG_ENDIAN);
        this.words = ring.asLongBuffer();
        this.data = new ElementData(ring, sizes);
        this.doorbells = doorbells;
        this.doorbell = Mlx4Doorbells.ofSends(identity.qpn());
        this.wrIds = new long[sizes.count()];
        this.lengths = new short[sizes.count()];
        this.firsts = new long[sizes.count()];
        disown();
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

    /** Makes all elements invalid for the first lap. */
    private void disown() {
        for (int element = 0; element < sizes.count(); element++) {
            int at = element << shift;
            putWord(at, OWNER | 1 << (shift - UNIT_SHIFT));
            lengths[element] = (short) (1 << shift);
            data.stamp(at, 1 << shift);
        }
    }

    @Override
    public int capacity() {
        return sizes.requests();
    }

    @Override
    public int maxSge() {
        return sizes.maxSge();
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
            throw new IllegalArgumentException(
                    "the provider of mlx4 has no operation " + operation + ": no flush and no atomic write");
        }
        if (head - publishedHead >= spare) {
            stamp(head);
        }
        int element = head & mask;
        int start = element << shift;
        int opcode = OPCODES[operation];
        int bytes = putData(request, putDestination(request, opcode, start + CtrlSeg.BYTES), start) - start;
        int fence = (request.flags() & SendFlags.IBV_SEND_FENCE) != 0 ? WqeCodes.MLX4_WQE_CTRL_FENCE : 0;
        putWord(
                start + CtrlSeg.SRCRB_FLAGS,
                Words.bigEndianPair(control(request, opcode), immediate(request, operation)));
        firsts[element] = Words.bigEndianPair(opcode, fence | bytes >> UNIT_SHIFT);
        wrIds[element] = request.wrId();
        lengths[element] = (short) bytes;
        head++;
    }

    /** What an atomic operation or one on a window has before its data leaves little room; the verbs allow one piece. */
    private int putData(SendView request, int at, int start) {
        int before = at - start;
        if (before <= usual) {
            return data.put(request, at);
        }
        return data.putPieces(request, at, Math.min(1, ((1 << shift) - before) / DataSeg.BYTES));
    }

    /** Writes eight bytes at a multiple of eight. */
    private void putWord(int at, long value) {
        words.put(at >>> WORD_SHIFT, value); // HotSpot learns from the shift that the index is not negative
    }

    private int control(SendView request, int opcode) {
        int flags = request.flags();
        int control = xrc ? request.remoteSrqn() << SRQN_SHIFT : 0;
        if (signalAll || (flags & SendFlags.IBV_SEND_SIGNALED) != 0) {
            control |= WqeCodes.MLX4_WQE_CTRL_CQ_UPDATE;
        }
        if ((flags & SendFlags.IBV_SEND_SOLICITED) != 0) {
            control |= WqeCodes.MLX4_WQE_CTRL_SOLICIT;
        }
        if (opcode == MLX4_OPCODE_LOCAL_INVAL || opcode == MLX4_OPCODE_BIND_MW) {
            control |= WqeCodes.MLX4_WQE_CTRL_STRONG_ORDER;
        }
        return control;
    }

    private static int immediate(SendView request, int operation) {
        return switch (operation) {
            case WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_IMM, WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE_WITH_IMM ->
                request.immediate();
            case WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_INV -> request.invalidatedKey();
            default -> 0;
        };
    }

    /** Writes what stands between the control segment and the data; returns where the data begins. */
    private int putDestination(SendView request, int opcode, int at) {
        return switch (opcode) {
            case MLX4_OPCODE_SEND, MLX4_OPCODE_SEND_IMM -> datagram ? putAddress(request, at) : at;
            case MLX4_OPCODE_SEND_INVAL -> at;
            case MLX4_OPCODE_LOCAL_INVAL -> putInvalidation(request.invalidatedKey(), at);
            case MLX4_OPCODE_BIND_MW -> putBinding(request.binding(), at);
            case MLX4_OPCODE_ATOMIC_CS, MLX4_OPCODE_ATOMIC_FA -> putOperands(request, opcode, putRemote(request, at));
            default -> putRemote(request, at);
        };
    }

    private int putRemote(SendView request, int at) {
        putWord(at + RaddrSeg.RADDR, request.remoteIova());
        putWord(at + RaddrSeg.RKEY, Words.bigEndianPair(request.rkey(), 0));
        return at + RaddrSeg.BYTES;
    }

    private int putOperands(SendView request, int opcode, int at) {
        boolean swaps = opcode == MLX4_OPCODE_ATOMIC_CS;
        putWord(at + AtomicSeg.SWAP_ADD, swaps ? request.swap() : request.compareAdd());
        putWord(at + AtomicSeg.COMPARE, swaps ? request.compareAdd() : 0);
        return at + AtomicSeg.BYTES;
    }

    private int putAddress(SendView request, int at) {
        Mlx4AddressVector address = (Mlx4AddressVector) Objects.requireNonNull(request.address());
        address.put(ring, at, request.remoteQpn(), request.remoteQkey());
        return at + DatagramSeg.BYTES;
    }

    private int putInvalidation(int key, int at) {
        putWord(at + LocalInvalSeg.RESERVED1, 0);
        putWord(at + LocalInvalSeg.MEM_KEY, Words.bigEndianPair(key, 0));
        putWord(at + LocalInvalSeg.RESERVED3, 0);
        putWord(at + LocalInvalSeg.RESERVED3 + Long.BYTES, 0);
        return at + LocalInvalSeg.BYTES;
    }

    private int putBinding(BindView binding, int at) {
        int access = binding.boundAccess();
        int rights = ((access & Access.REMOTE_ATOMIC.code()) != 0 ? WqeCodes.MLX4_WQE_MW_ATOMIC : 0)
                | ((access & Access.REMOTE_WRITE.code()) != 0 ? WqeCodes.MLX4_WQE_MW_REMOTE_WRITE : 0)
                | ((access & Access.REMOTE_READ.code()) != 0 ? WqeCodes.MLX4_WQE_MW_REMOTE_READ : 0);
        int kind = binding.isOfType2() ? WqeCodes.MLX4_WQE_BIND_TYPE_2 : 0;
        putWord(at + BindSeg.FLAGS1, Words.bigEndianPair(rights, kind));
        putWord(at + BindSeg.NEW_RKEY, Words.bigEndianPair(binding.newKey(), binding.regionKey()));
        putWord(at + BindSeg.ADDR, binding.boundIova());
        putWord(at + BindSeg.LENGTH, binding.boundLength());
        return at + BindSeg.BYTES;
    }

    /** Makes elements that look valid after their first piece invalid again, the one that was put in part included. */
    @Override
    public void discard() {
        data.stamp((head & mask) << shift, 1 << shift);
        while (head != publishedHead) {
            head--;
            stamp(head);
        }
    }

    /** Stamps the element of {@code index}, which is not in use. */
    private void stamp(int index) {
        data.stamp((index & mask) << shift, lengths[index & mask]);
    }

    /** Gives the elements to the device and rings the doorbell. */
    @Override
    public int publish() {
        int last = head - 1;
        int first = publishedHead;
        publishedHead = head;
        published.setRelease(head);
        VarHandle.releaseFence();
        for (int index = first; index != last; index++) {
            give(index);
        }
        give(last);
        doorbells.ringSends(doorbell);
        return 0;
    }

    /** Gives an element to the device. */
    private void give(int index) {
        int element = index & mask;
        long owner = (index & (mask + 1)) == 0 ? 0 : OWNER;
        putWord(element << shift, owner | firsts[element]);
        stampAhead(index);
    }

    /** Stamps the element that comes into the device's reach after {@code index}, unless {@link #put} has done so. */
    private void stampAhead(int index) {
        int ahead = index + spare;
        if (ahead - head >= 0) {
            stamp(ahead);
        }
    }

    /** The element that a completion names by {@code counter}; -1 if the device owes no completion for it. */
    int elementOf(int counter) {
        int oldest = done.getPlain();
        int position = oldest + (counter - oldest & COUNTER);
        return published.getAcquire() - position > 0 ? position & mask : -1;
    }

    long wrId(int element) {
        return wrIds[element];
    }

    /** Frees the element that {@code counter} names, and all elements before it. Called by the poller. */
    void finish(int counter) {
        int oldest = done.getPlain();
        done.setRelease(oldest + (counter - oldest & COUNTER) + 1);
    }

    /** Forgets the posted requests. No other thread may post or poll at the same time. */
    void reset() {
        head = 0;
        publishedHead = 0;
        seenDone = 0;
        published.set(0);
        done.set(0);
        disown();
    }
}
