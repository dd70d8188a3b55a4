// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Cqe.CqeCodes;
import io.github.rdma4j.internal.mlx4.Cqe.ErrCqe;
import io.github.rdma4j.internal.mlx4.Wqe.WqeCodes;
import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.provider.QueueTable;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout.WcFlags;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns entries of a completion queue into completions, and frees the room of completed requests. Trusts a number of an
 * entry only if its queue confirms the number: an entry of an unknown queue pair, without a posted work request, or of
 * an unknown kind is no completion.
 */
final class CompletionReader {
    private static final int NUMBER_MASK = CqeCodes.MLX4_CQE_QPN_MASK;

    /** The bit that the numbers of XRC targets have. */
    private static final int XRC_QPN_BIT = 1 << 23;

    private static final int GRH = 1 << 31;
    private static final int PATH_BITS_SHIFT = 24;
    private static final int PATH_BITS_MASK = 0x7f;
    private static final int PKEY_MASK = 0x7f;
    private static final int SERVICE_LEVEL_SHIFT = 12;
    private static final int PRIORITY_SHIFT = 13;
    private static final int ATOMIC_BYTES = 8;

    private static final int RECV = WorkCompletionOpcode.RECV.code();
    private static final int RECV_RDMA_WITH_IMM = WorkCompletionOpcode.RECV_RDMA_WITH_IMM.code();
    private static final int SEND = WorkCompletionOpcode.SEND.code();
    private static final int RDMA_READ = WorkCompletionOpcode.RDMA_READ.code();
    private static final int COMP_SWAP = WorkCompletionOpcode.COMP_SWAP.code();
    private static final int FETCH_ADD = WorkCompletionOpcode.FETCH_ADD.code();
    private static final int SUCCESS = WorkCompletionStatus.SUCCESS.code();

    private final Mlx4CompletionRing cq;
    private final ByteBuffer ring;
    private final QueueTable.Recent<Mlx4QueueRings> queues;
    private final QueueTable<Mlx4SharedReceiveRing> xrcQueues;

    CompletionReader(Mlx4CompletionRing cq, ByteBuffer ring, Mlx4Context context) {
        this.cq = cq;
        this.ring = ring;
        this.queues = context.queues().recent();
        this.xrcQueues = context.xrcQueues();
    }

    private int qpnOf(int at) {
        return ring.getInt(at + CqeBytes.VLAN_MY_QPN) & NUMBER_MASK;
    }

    private static boolean isSend(int last) {
        return (last & CqeCodes.MLX4_CQE_IS_SEND_MASK) != 0;
    }

    private static int opcode(int last) {
        return last & CqeCodes.MLX4_CQE_OPCODE_MASK;
    }

    private static boolean isError(int last) {
        return opcode(last) == CqeCodes.MLX4_CQE_OPCODE_ERROR;
    }

    private static boolean isOfTarget(int qpn, int last) {
        return (qpn & XRC_QPN_BIT) != 0 && !isSend(last);
    }

    private @Nullable Mlx4SharedReceiveRing xrcOf(int at) {
        return xrcQueues.get(ring.getInt(at + CqeBytes.G_MLPATH_RQPN) & NUMBER_MASK);
    }

    /** True for an entry of {@code queue}, the queues of a queue pair or a shared receive queue of XRC. */
    boolean isOf(Object queue, int at) {
        int qpn = qpnOf(at);
        return isOfTarget(qpn, ring.getInt(at + CqeBytes.RESERVED3)) ? xrcOf(at) == queue : queues.get(qpn) == queue;
    }

    /**
     * Reads the entry at {@code at}, whose last word is {@code last}. False if the entry is no completion or is
     * invalid; then {@code into} is unchanged.
     */
    <C> boolean read(int at, int last, C into, CompletionSink<C> sink) {
        int qpn = qpnOf(at);
        if (isOfTarget(qpn, last)) {
            return readXrc(at, last, into, sink);
        }
        Mlx4QueueRings of = queues.get(qpn);
        if (of == null) {
            return false;
        }
        return isSend(last) ? readSend(at, last, of, into, sink) : readReceive(at, last, of, into, sink);
    }

    private int indexOf(int at) {
        return StructFields.getU16(ring, at + CqeBytes.WQE_INDEX);
    }

    private <C> boolean readSend(int at, int last, Mlx4QueueRings of, C into, CompletionSink<C> sink) {
        int opcode = sendOpcode(opcode(last));
        int counter = indexOf(at);
        int element = of.ends().sendCq() == cq ? of.send().elementOf(counter) : -1;
        if (element < 0 || opcode < 0) {
            return false;
        }
        int status = status(at, last);
        sink.setResult(into, of.send().wrId(element), status, opcode, of.ends().qpn());
        sink.setPayload(into, status == SUCCESS ? bytesFetched(at, opcode) : 0, 0, 0, vendorError(at, last));
        sink.setSource(into, 0, 0);
        of.send().finish(counter);
        return true;
    }

    /** The operation of the work queue element; -1 if unknown. An entry of a failure has another number in its place. */
    private static int sendOpcode(int code) {
        return switch (code) {
            case WqeCodes.MLX4_OPCODE_SEND,
                    WqeCodes.MLX4_OPCODE_SEND_IMM,
                    WqeCodes.MLX4_OPCODE_SEND_INVAL,
                    CqeCodes.MLX4_CQE_OPCODE_ERROR -> SEND;
            case WqeCodes.MLX4_OPCODE_RDMA_WRITE, WqeCodes.MLX4_OPCODE_RDMA_WRITE_IMM ->
                WorkCompletionOpcode.RDMA_WRITE.code();
            case WqeCodes.MLX4_OPCODE_RDMA_READ -> RDMA_READ;
            case WqeCodes.MLX4_OPCODE_ATOMIC_CS -> COMP_SWAP;
            case WqeCodes.MLX4_OPCODE_ATOMIC_FA -> FETCH_ADD;
            case WqeCodes.MLX4_OPCODE_LOCAL_INVAL -> WorkCompletionOpcode.LOCAL_INV.code();
            case WqeCodes.MLX4_OPCODE_BIND_MW -> WorkCompletionOpcode.BIND_MW.code();
            default -> -1;
        };
    }

    private int bytesFetched(int at, int opcode) {
        if (opcode == RDMA_READ) {
            return ring.getInt(at + CqeBytes.BYTE_CNT);
        }
        return opcode == COMP_SWAP || opcode == FETCH_ADD ? ATOMIC_BYTES : 0;
    }

    private static boolean isReceive(int last) {
        return opcode(last) <= CqeCodes.MLX4_RECV_OPCODE_SEND_INVAL || isError(last);
    }

    private <C> boolean readReceive(int at, int last, Mlx4QueueRings of, C into, CompletionSink<C> sink) {
        if (of.ends().receiveCq() != cq || !isReceive(last)) {
            return false;
        }
        Mlx4SharedReceiveRing shared = of.ends().shared();
        if (shared != null) {
            return readShared(at, last, of, into, sink);
        }
        Mlx4ReceiveRing own = of.receive();
        int entry = own == null ? -1 : own.oldest();
        if (own == null || entry < 0) {
            return false;
        }
        sink.setResult(
                into,
                own.wrId(entry),
                status(at, last),
                receiveOpcode(last),
                of.ends().qpn());
        putReceived(at, last, of, into, sink);
        own.finishOne();
        return true;
    }

    private <C> boolean readShared(int at, int last, Mlx4QueueRings of, C into, CompletionSink<C> sink) {
        Mlx4SharedReceiveRing shared = Objects.requireNonNull(of.ends().shared());
        int entry = indexOf(at);
        if (!shared.completes(entry)) {
            return false;
        }
        sink.setResult(
                into,
                shared.wrId(entry),
                status(at, last),
                receiveOpcode(last),
                of.ends().qpn());
        putReceived(at, last, of, into, sink);
        shared.free(entry);
        return true;
    }

    /** The target may belong to another process: only the entry has its number. */
    private <C> boolean readXrc(int at, int last, C into, CompletionSink<C> sink) {
        Mlx4SharedReceiveRing shared = xrcOf(at);
        int entry = indexOf(at);
        if (shared == null || !shared.completesIn(cq) || !isReceive(last) || !shared.completes(entry)) {
            return false;
        }
        sink.setResult(into, shared.wrId(entry), status(at, last), receiveOpcode(last), qpnOf(at));
        putReceived(at, last, null, into, sink);
        shared.free(entry);
        return true;
    }

    private static int receiveOpcode(int last) {
        return opcode(last) == CqeCodes.MLX4_RECV_OPCODE_RDMA_WRITE_IMM ? RECV_RDMA_WITH_IMM : RECV;
    }

    /** {@code of} is null for a target of XRC. */
    private <C> void putReceived(int at, int last, @Nullable Mlx4QueueRings of, C into, CompletionSink<C> sink) {
        if (isError(last)) {
            sink.setPayload(into, 0, 0, 0, vendorError(at, last));
            sink.setSource(into, 0, 0);
            return;
        }
        int opcode = opcode(last);
        Mlx4QueueRings datagram = of != null && of.ends().datagram() ? of : null;
        boolean immediate =
                opcode == CqeCodes.MLX4_RECV_OPCODE_SEND_IMM || opcode == CqeCodes.MLX4_RECV_OPCODE_RDMA_WRITE_IMM;
        boolean invalidated = opcode == CqeCodes.MLX4_RECV_OPCODE_SEND_INVAL;
        int word = ring.getInt(at + CqeBytes.IMMED_RSS_INVALID);
        int source = ring.getInt(at + CqeBytes.G_MLPATH_RQPN);
        int flags = (immediate ? WcFlags.IBV_WC_WITH_IMM : 0)
                | (invalidated ? WcFlags.IBV_WC_WITH_INV : 0)
                | (datagram != null && (source & GRH) != 0 ? WcFlags.IBV_WC_GRH : 0);
        int data = immediate ? Words.bigEndian(word) : invalidated ? word : 0;
        sink.setPayload(into, ring.getInt(at + CqeBytes.BYTE_CNT), data, flags, 0);
        if (datagram != null) {
            int pkeyIndex = immediate ? 0 : word & PKEY_MASK;
            sink.setSource(into, source & NUMBER_MASK, path(at, source, pkeyIndex, datagram.isOnEthernet()));
        } else {
            sink.setSource(into, 0, 0);
        }
    }

    private long path(int at, int source, int pkeyIndex, boolean ethernet) {
        int service = StructFields.getU16(ring, at + CqeBytes.SL_VID);
        return WorkCompletionLayout.path(
                pkeyIndex,
                StructFields.getU16(ring, at + CqeBytes.RLID),
                service >>> (ethernet ? PRIORITY_SHIFT : SERVICE_LEVEL_SHIFT),
                source >>> PATH_BITS_SHIFT & PATH_BITS_MASK);
    }

    /** Frees the receive that the entry at {@code at} completes, for a closed queue pair. */
    void drop(int at) {
        Mlx4QueueRings of = queues.get(qpnOf(at));
        Mlx4SharedReceiveRing shared = of == null ? null : of.ends().shared();
        if (shared != null && !isSend(ring.getInt(at + CqeBytes.RESERVED3)) && shared.completes(indexOf(at))) {
            shared.free(indexOf(at));
        }
    }

    private int status(int at, int last) {
        return isError(last)
                ? statusOf(StructFields.getU8(ring, at + ErrCqe.SYNDROME)).code()
                : SUCCESS;
    }

    private int vendorError(int at, int last) {
        return isError(last) ? StructFields.getU8(ring, at + ErrCqe.VENDOR_ERR) : 0;
    }

    private static WorkCompletionStatus statusOf(int syndrome) {
        return switch (syndrome) {
            case CqeCodes.MLX4_CQE_SYNDROME_LOCAL_LENGTH_ERR -> WorkCompletionStatus.LOC_LEN_ERR;
            case CqeCodes.MLX4_CQE_SYNDROME_LOCAL_QP_OP_ERR -> WorkCompletionStatus.LOC_QP_OP_ERR;
            case CqeCodes.MLX4_CQE_SYNDROME_LOCAL_PROT_ERR -> WorkCompletionStatus.LOC_PROT_ERR;
            case CqeCodes.MLX4_CQE_SYNDROME_WR_FLUSH_ERR -> WorkCompletionStatus.WR_FLUSH_ERR;
            case CqeCodes.MLX4_CQE_SYNDROME_MW_BIND_ERR -> WorkCompletionStatus.MW_BIND_ERR;
            case CqeCodes.MLX4_CQE_SYNDROME_BAD_RESP_ERR -> WorkCompletionStatus.BAD_RESP_ERR;
            case CqeCodes.MLX4_CQE_SYNDROME_LOCAL_ACCESS_ERR -> WorkCompletionStatus.LOC_ACCESS_ERR;
            case CqeCodes.MLX4_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR -> WorkCompletionStatus.REM_INV_REQ_ERR;
            case CqeCodes.MLX4_CQE_SYNDROME_REMOTE_ACCESS_ERR -> WorkCompletionStatus.REM_ACCESS_ERR;
            case CqeCodes.MLX4_CQE_SYNDROME_REMOTE_OP_ERR -> WorkCompletionStatus.REM_OP_ERR;
            case CqeCodes.MLX4_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR -> WorkCompletionStatus.RETRY_EXC_ERR;
            case CqeCodes.MLX4_CQE_SYNDROME_RNR_RETRY_EXC_ERR -> WorkCompletionStatus.RNR_RETRY_EXC_ERR;
            case CqeCodes.MLX4_CQE_SYNDROME_REMOTE_ABORTED_ERR -> WorkCompletionStatus.REM_ABORT_ERR;
            default -> WorkCompletionStatus.GENERAL_ERR;
        };
    }
}
