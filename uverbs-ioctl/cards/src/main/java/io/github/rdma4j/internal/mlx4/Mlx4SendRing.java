// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import static io.github.rdma4j.internal.connectx.Segments.Codes.OPCODE_ATOMIC_CS;
import static io.github.rdma4j.internal.connectx.Segments.Codes.OPCODE_ATOMIC_FA;
import static io.github.rdma4j.internal.connectx.Segments.Codes.OPCODE_SEND;
import static io.github.rdma4j.internal.connectx.Segments.Codes.OPCODE_SEND_IMM;
import static io.github.rdma4j.internal.connectx.Segments.Codes.OPCODE_SEND_INVAL;
import static io.github.rdma4j.internal.mlx4.Wqe.WqeCodes.MLX4_OPCODE_BIND_MW;
import static io.github.rdma4j.internal.mlx4.Wqe.WqeCodes.MLX4_OPCODE_LOCAL_INVAL;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.connectx.ConnectxSendRing;
import io.github.rdma4j.internal.connectx.Segments.DataSeg;
import io.github.rdma4j.internal.connectx.Segments.RaddrSeg;
import io.github.rdma4j.internal.mlx4.Mlx4Sizes.SendSizes;
import io.github.rdma4j.internal.mlx4.Wqe.BindSeg;
import io.github.rdma4j.internal.mlx4.Wqe.CtrlSeg;
import io.github.rdma4j.internal.mlx4.Wqe.DatagramSeg;
import io.github.rdma4j.internal.mlx4.Wqe.LocalInvalSeg;
import io.github.rdma4j.internal.mlx4.Wqe.WqeCodes;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.internal.provider.SendView.BindView;
import io.github.rdma4j.internal.uverbs.WorkRequests.SendFlags;
import io.github.rdma4j.internal.uverbs.WorkRequests.WorkRequestOpcodes;
import io.github.rdma4j.verbs.attr.Access;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The send queue of a ConnectX-3 queue pair: a ring of elements of one size. The owner bit, the first bit of an
 * element, changes with every lap and so gives the element to the device. The device reads ahead, so unposted elements
 * within its reach must not look valid: see {@link ElementData}. An element is stamped while it is still too far ahead
 * for the device to have read it.
 *
 * <p>{@link #put} keeps the owner bit of the previous lap, because an element that the device owns cannot be taken
 * back; {@link #publish} gives the elements to the device.
 */
final class Mlx4SendRing extends ConnectxSendRing {
    private static final long OWNER = 1L << 63;
    private static final int SRQN_SHIFT = 8;
    private static final int QPN_SHIFT = 8;

    private final int mask;
    private final int shift;
    private final int spare;

    /** The maximum number of bytes before the data, for most requests. */
    private final int usual;

    private final ElementData data;
    private final DoorbellPage doorbells;
    private final int doorbell;

    /** The number of bytes that may look valid because a work request was written there, by element. */
    private final short[] lengths;

    /** The first eight bytes without the owner bit, by element. */
    private final long[] firsts;

    /** The value of {@link #count} visible to the device, for the producer. */
    private int publishedCount;

    /**
     * Creates a ring without work requests.
     *
     * @param memory the memory of the ring
     * @param identity the properties shared by all elements
     */
    Mlx4SendRing(SendSizes sizes, ByteBuffer memory, Identity identity, DoorbellPage doorbells) {
        super(sizes.capacities(), memory, sizes.count(), identity);
        this.mask = sizes.count() - 1;
        this.shift = sizes.shift();
        this.spare = sizes.spare();
        this.usual = CtrlSeg.BYTES + (identity.datagram() ? DatagramSeg.BYTES : RaddrSeg.BYTES);
        this.data = new ElementData(ring(), sizes);
        this.doorbells = doorbells;
        this.doorbell = Words.bigEndian(identity.qpn() << QPN_SHIFT);
        this.lengths = new short[sizes.count()];
        this.firsts = new long[sizes.count()];
        disown();
    }

    /** Invalidates all elements for the first lap. */
    private void disown() {
        for (int element = 0; element <= mask; element++) {
            int at = element << shift;
            putWord(at, OWNER | 1 << (shift - UNIT_SHIFT));
            lengths[element] = (short) (1 << shift);
            data.stamp(at, 1 << shift);
        }
    }

    @Override
    public void put(SendView request) {
        int operation = request.opcode();
        int opcode = opcode(operation);
        int index = count();
        if (index - publishedCount >= spare) {
            stamp(index);
        }
        int element = index & mask;
        int start = element << shift;
        int bytes = putData(request, putDestination(request, opcode, start + CtrlSeg.BYTES), start) - start;
        int fence = (request.flags() & SendFlags.IBV_SEND_FENCE) != 0 ? WqeCodes.MLX4_WQE_CTRL_FENCE : 0;
        putWord(
                start + CtrlSeg.SRCRB_FLAGS,
                Words.bigEndianPair(control(request, opcode), immediate(request, operation)));
        firsts[element] = Words.bigEndianPair(opcode, fence | bytes >> UNIT_SHIFT);
        remember(element, request.wrId());
        lengths[element] = (short) bytes;
        count(index + 1);
    }

    private static int opcode(int operation) {
        int opcode = opcodeOf(operation);
        return opcode >= 0 ? opcode : otherOpcode(operation);
    }

    private static int otherOpcode(int operation) {
        return switch (operation) {
            case WorkRequestOpcodes.IB_UVERBS_WR_LOCAL_INV -> MLX4_OPCODE_LOCAL_INVAL;
            case WorkRequestOpcodes.IB_UVERBS_WR_BIND_MW -> MLX4_OPCODE_BIND_MW;
            case WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_INV -> OPCODE_SEND_INVAL;
            default ->
                throw new IllegalArgumentException(
                        "the provider of mlx4 has no operation " + operation + ": no flush and no atomic write");
        };
    }

    /** Writes the data. Atomic and window operations have little room left for data; the verbs allow them one piece. */
    private int putData(SendView request, int at, int start) {
        int before = at - start;
        if (before <= usual) {
            return data.put(request, at);
        }
        return data.putPieces(request, at, Math.min(1, ((1 << shift) - before) / DataSeg.BYTES));
    }

    private int control(SendView request, int opcode) {
        int control = control(request.flags(), WqeCodes.MLX4_WQE_CTRL_CQ_UPDATE);
        if (isXrc()) {
            control |= request.remoteSrqn() << SRQN_SHIFT;
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

    /** Writes the segments between the control segment and the data; returns the start of the data. */
    private int putDestination(SendView request, int opcode, int at) {
        return switch (opcode) {
            case OPCODE_SEND, OPCODE_SEND_IMM -> isDatagram() ? putAddress(request, at) : at;
            case OPCODE_SEND_INVAL -> at;
            case MLX4_OPCODE_LOCAL_INVAL -> putInvalidation(request.invalidatedKey(), at);
            case MLX4_OPCODE_BIND_MW -> putBinding(request.binding(), at);
            case OPCODE_ATOMIC_CS, OPCODE_ATOMIC_FA ->
                putOperands(request, opcode == OPCODE_ATOMIC_CS, putRemote(request, at));
            default -> putRemote(request, at);
        };
    }

    private int putAddress(SendView request, int at) {
        Mlx4AddressVector address = (Mlx4AddressVector) Objects.requireNonNull(request.address());
        address.put(ring(), at, request.remoteQpn(), request.remoteQkey());
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

    /** Invalidates elements that look valid after their first piece, including a partly written element. */
    @Override
    public void discard() {
        data.stamp((count() & mask) << shift, 1 << shift);
        while (count() != publishedCount) {
            count(count() - 1);
            stamp(count());
        }
    }

    /** Stamps the unused element {@code index}. */
    private void stamp(int index) {
        data.stamp((index & mask) << shift, lengths[index & mask]);
    }

    /** Gives the elements to the device and rings the doorbell. */
    @Override
    public int publish() {
        int last = count() - 1;
        int first = publishedCount;
        publishedCount = count();
        releasePublished();
        VarHandle.releaseFence();
        for (int index = first; index != last; index++) {
            give(index);
        }
        give(last);
        doorbells.ring(WqeCodes.MLX4_SEND_DOORBELL, doorbell);
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
        if (ahead - count() >= 0) {
            stamp(ahead);
        }
    }

    @Override
    protected int placeOf(int counter) {
        int oldest = doneCount();
        int position = oldest + (counter - oldest & COUNTER);
        return publishedCount() - position > 0 ? position & mask : NONE;
    }

    @Override
    protected void finish(int element) {
        int oldest = doneCount();
        done(oldest + (element - oldest & mask) + 1);
    }

    @Override
    protected void reset() {
        super.reset();
        publishedCount = 0;
        disown();
    }
}
