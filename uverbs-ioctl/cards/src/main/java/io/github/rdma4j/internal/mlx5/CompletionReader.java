// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import static io.github.rdma4j.internal.mlx5.Cqe.CqeCodes.MLX5_CQE_REQ;
import static io.github.rdma4j.internal.mlx5.Cqe.CqeCodes.MLX5_CQE_REQ_ERR;
import static io.github.rdma4j.internal.mlx5.Cqe.CqeCodes.MLX5_CQE_RESP_ERR;
import static io.github.rdma4j.internal.mlx5.Cqe.CqeCodes.MLX5_CQE_RESP_SEND;
import static io.github.rdma4j.internal.mlx5.Cqe.CqeCodes.MLX5_CQE_RESP_SEND_IMM;
import static io.github.rdma4j.internal.mlx5.Cqe.CqeCodes.MLX5_CQE_RESP_SEND_INV;
import static io.github.rdma4j.internal.mlx5.Cqe.CqeCodes.MLX5_CQE_RESP_WR_IMM;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.mlx5.Cqe.Cqe64;
import io.github.rdma4j.internal.mlx5.Cqe.CqeCodes;
import io.github.rdma4j.internal.mlx5.Cqe.ErrCqe;
import io.github.rdma4j.internal.mlx5.Wqe.WqeCodes;
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
    private static final int NUMBER_MASK = 0xffffff;
    private static final int COUNTER_SHIFT = 16;
    private static final int WQE_OPCODE_SHIFT = 24;
    private static final int GRH_BITS = 3 << 28;
    private static final int PKEY_MASK = 0xffff;
    private static final int SERVICE_LEVEL_SHIFT = 24;
    private static final int SERVICE_LEVEL_MASK = 0xf;
    private static final int PATH_BITS_MASK = 0x7f;
    private static final int ATOMIC_BYTES = 8;

    /** The flags of an entry that contains the data itself, which this provider never requests. */
    private static final int INLINE_SCATTER = CqeCodes.MLX5_INLINE_SCATTER_32 | CqeCodes.MLX5_INLINE_SCATTER_64;

    private static final int RECV = WorkCompletionOpcode.RECV.code();
    private static final int RECV_RDMA_WITH_IMM = WorkCompletionOpcode.RECV_RDMA_WITH_IMM.code();
    private static final int SEND = WorkCompletionOpcode.SEND.code();
    private static final int RDMA_WRITE = WorkCompletionOpcode.RDMA_WRITE.code();
    private static final int RDMA_READ = WorkCompletionOpcode.RDMA_READ.code();
    private static final int COMP_SWAP = WorkCompletionOpcode.COMP_SWAP.code();
    private static final int FETCH_ADD = WorkCompletionOpcode.FETCH_ADD.code();
    private static final int SUCCESS = WorkCompletionStatus.SUCCESS.code();
    private static final int GENERAL_ERR = WorkCompletionStatus.GENERAL_ERR.code();

    private final Mlx5CompletionRing cq;
    private final ByteBuffer ring;
    private final QueueTable.Recent<Mlx5QueueRings> queues;
    private final QueueTable<Mlx5SharedReceiveRing> xrcQueues;

    /** The offset of the queue pair's number in an entry. */
    private final int numberAt;

    /** With version 0, a queue pair of this context may have the number of a former XRC target. */
    private final boolean xrcFirst;

    private long faults;

    CompletionReader(Mlx5CompletionRing cq, ByteBuffer ring, Mlx5Context context) {
        this.cq = cq;
        this.ring = ring;
        this.queues = context.queues().recent();
        this.xrcQueues = context.xrcQueues();
        this.xrcFirst = context.cqeVersion() == 0;
        this.numberAt = xrcFirst ? Cqe64.SOP_DROP_QPN : Cqe64.SRQN_UIDX;
    }

    /** The number of entries that were no completions because their receives were posted again. */
    long faults() {
        return faults;
    }

    private int numberOf(int at) {
        return ring.getInt(at + numberAt) & NUMBER_MASK;
    }

    /** The queue of XRC that an entry names; null for an entry of something else. */
    private @Nullable Mlx5SharedReceiveRing xrcOf(int at, int last) {
        return isReceive(Mlx5CompletionRing.opcode(last))
                ? xrcQueues.get(ring.getInt(at + Cqe64.SRQN_UIDX) & NUMBER_MASK)
                : null;
    }

    private static boolean isReceive(int opcode) {
        return (opcode >= MLX5_CQE_RESP_WR_IMM && opcode <= MLX5_CQE_RESP_SEND_INV) || opcode == MLX5_CQE_RESP_ERR;
    }

    /** True for an entry of {@code queue}, the queues of a queue pair or a shared receive queue of XRC. */
    boolean isOf(Object queue, int at) {
        Mlx5SharedReceiveRing xrc = xrcOf(at, ring.getInt(at + Cqe64.WQE_COUNTER));
        return xrc != null ? xrc == queue : queues.get(numberOf(at)) == queue;
    }

    /**
     * Reads the entry at {@code at}, whose last word is {@code last}. False if the entry is no completion or is
     * invalid; then {@code into} is unchanged.
     */
    <C> boolean read(int at, int last, C into, CompletionSink<C> sink) {
        Mlx5QueueRings of = queues.get(numberOf(at));
        if (of == null || xrcFirst) {
            Mlx5SharedReceiveRing xrc = xrcOf(at, last);
            if (xrc != null) {
                return readXrc(at, last, xrc, into, sink);
            }
            if (of == null) {
                return false;
            }
        }
        return switch (Mlx5CompletionRing.opcode(last)) {
            case MLX5_CQE_REQ, MLX5_CQE_REQ_ERR -> readSend(at, last, of, into, sink);
            case MLX5_CQE_RESP_WR_IMM,
                    MLX5_CQE_RESP_SEND,
                    MLX5_CQE_RESP_SEND_IMM,
                    MLX5_CQE_RESP_SEND_INV,
                    MLX5_CQE_RESP_ERR -> readReceive(at, last, of, into, sink);
            default -> false;
        };
    }

    private <C> boolean readSend(int at, int last, Mlx5QueueRings of, C into, CompletionSink<C> sink) {
        int status = status(at, last);
        int opcode = sendOpcode(ring.getInt(at + Cqe64.SOP_DROP_QPN) >>> WQE_OPCODE_SHIFT, status);
        int block = of.ends().sendCq() == cq ? of.send().blockOf(last >>> COUNTER_SHIFT) : -1;
        if (block < 0 || opcode < 0) {
            return false;
        }
        sink.setResult(into, of.send().wrId(block), status, opcode, of.ends().qpn());
        sink.setPayload(into, status == SUCCESS ? bytesFetched(at, opcode) : 0, 0, 0, vendorError(at, last));
        sink.setSource(into, 0, 0);
        of.send().finish(block);
        return true;
    }

    /** The operation of the work queue element; -1 if unknown. An entry of a failure need not have the operation. */
    private static int sendOpcode(int wqeOpcode, int status) {
        return switch (wqeOpcode) {
            case WqeCodes.MLX5_OPCODE_SEND, WqeCodes.MLX5_OPCODE_SEND_IMM -> SEND;
            case WqeCodes.MLX5_OPCODE_RDMA_WRITE, WqeCodes.MLX5_OPCODE_RDMA_WRITE_IMM -> RDMA_WRITE;
            case WqeCodes.MLX5_OPCODE_RDMA_READ -> RDMA_READ;
            case WqeCodes.MLX5_OPCODE_ATOMIC_CS -> COMP_SWAP;
            case WqeCodes.MLX5_OPCODE_ATOMIC_FA -> FETCH_ADD;
            default -> status == SUCCESS ? -1 : SEND;
        };
    }

    private int bytesFetched(int at, int opcode) {
        if (opcode == RDMA_READ) {
            return ring.getInt(at + Cqe64.BYTE_CNT);
        }
        return opcode == COMP_SWAP || opcode == FETCH_ADD ? ATOMIC_BYTES : 0;
    }

    private <C> boolean readReceive(int at, int last, Mlx5QueueRings of, C into, CompletionSink<C> sink) {
        int counter = last >>> COUNTER_SHIFT;
        if (of.ends().receiveCq() != cq) {
            return false;
        }
        Mlx5SharedReceiveRing shared = of.ends().shared();
        if (shared != null) {
            return readShared(at, last, of, into, sink);
        }
        Mlx5ReceiveRing own = of.receive();
        int entry = own == null ? -1 : own.entryOf(counter);
        if (own == null || entry < 0) {
            return false;
        }
        sink.setResult(
                into,
                own.wrId(entry),
                status(at, last),
                receiveOpcode(last),
                of.ends().qpn());
        putReceived(at, last, of.ends().datagram(), into, sink);
        own.finishOne();
        return true;
    }

    private <C> boolean readShared(int at, int last, Mlx5QueueRings of, C into, CompletionSink<C> sink) {
        Mlx5SharedReceiveRing shared = Objects.requireNonNull(of.ends().shared());
        int entry = last >>> COUNTER_SHIFT;
        if (!completes(shared, at, last)) {
            return false;
        }
        sink.setResult(
                into,
                shared.wrId(entry),
                status(at, last),
                receiveOpcode(last),
                of.ends().qpn());
        putReceived(at, last, of.ends().datagram(), into, sink);
        shared.free(entry);
        return true;
    }

    /** The target may belong to another process: only the entry has its number. */
    private <C> boolean readXrc(int at, int last, Mlx5SharedReceiveRing shared, C into, CompletionSink<C> sink) {
        int entry = last >>> COUNTER_SHIFT;
        if (!shared.completesIn(cq) || !completes(shared, at, last)) {
            return false;
        }
        int target = ring.getInt(at + Cqe64.SOP_DROP_QPN) & NUMBER_MASK;
        sink.setResult(into, shared.wrId(entry), status(at, last), receiveOpcode(last), target);
        putReceived(at, last, false, into, sink);
        shared.free(entry);
        return true;
    }

    /**
     * True when the entry completes a receive of {@code shared}. A receive that failed with a page fault is posted
     * again.
     */
    private boolean completes(Mlx5SharedReceiveRing shared, int at, int last) {
        int entry = last >>> COUNTER_SHIFT;
        boolean posted = shared.completes(entry);
        if (posted && isPageFault(at, last)) {
            shared.postAgain(entry);
            faults++;
            return false;
        }
        return posted;
    }

    private boolean isPageFault(int at, int last) {
        return Mlx5CompletionRing.opcode(last) == MLX5_CQE_RESP_ERR
                && StructFields.getU8(ring, at + ErrCqe.SYNDROME) == CqeCodes.MLX5_CQE_SYNDROME_REMOTE_ABORTED_ERR
                && StructFields.getU8(ring, at + ErrCqe.VENDOR_ERR_SYND)
                        == CqeCodes.MLX5_CQE_VENDOR_SYNDROME_ODP_PFAULT;
    }

    private static int receiveOpcode(int last) {
        return Mlx5CompletionRing.opcode(last) == MLX5_CQE_RESP_WR_IMM ? RECV_RDMA_WITH_IMM : RECV;
    }

    private <C> void putReceived(int at, int last, boolean datagram, C into, CompletionSink<C> sink) {
        int opcode = Mlx5CompletionRing.opcode(last);
        if (status(at, last) != SUCCESS) {
            sink.setPayload(into, 0, 0, 0, vendorError(at, last));
            sink.setSource(into, 0, 0);
            return;
        }
        boolean immediate = opcode == MLX5_CQE_RESP_SEND_IMM || opcode == MLX5_CQE_RESP_WR_IMM;
        int word = ring.getInt(at + Cqe64.IMM_INVAL_PKEY);
        int source = ring.getInt(at + Cqe64.FLAGS_RQPN);
        int flags = immediate ? WcFlags.IBV_WC_WITH_IMM : 0;
        flags |= opcode == MLX5_CQE_RESP_SEND_INV ? WcFlags.IBV_WC_WITH_INV : 0;
        flags |= datagram && (source & GRH_BITS) != 0 ? WcFlags.IBV_WC_GRH : 0;
        sink.setPayload(into, ring.getInt(at + Cqe64.BYTE_CNT), immediate ? Words.bigEndian(word) : 0, flags, 0);
        if (datagram) {
            sink.setSource(into, source & NUMBER_MASK, path(at, source, immediate ? 0 : word & PKEY_MASK));
        } else {
            sink.setSource(into, 0, 0);
        }
    }

    private long path(int at, int source, int pkeyIndex) {
        return WorkCompletionLayout.path(
                pkeyIndex,
                StructFields.getU16(ring, at + Cqe64.SLID),
                source >>> SERVICE_LEVEL_SHIFT & SERVICE_LEVEL_MASK,
                StructFields.getU8(ring, at + Cqe64.ML_PATH) & PATH_BITS_MASK);
    }

    /** Frees the receive that the entry at {@code at} completes, for a closed queue. */
    void drop(int at) {
        Mlx5QueueRings of = queues.get(numberOf(at));
        Mlx5SharedReceiveRing shared = of == null ? null : of.ends().shared();
        int last = ring.getInt(at + Cqe64.WQE_COUNTER);
        boolean receive = isReceive(Mlx5CompletionRing.opcode(last));
        if (shared != null && receive && shared.completes(last >>> COUNTER_SHIFT)) {
            shared.free(last >>> COUNTER_SHIFT);
        }
    }

    private int status(int at, int last) {
        int opcode = Mlx5CompletionRing.opcode(last);
        if (opcode == MLX5_CQE_REQ_ERR || opcode == MLX5_CQE_RESP_ERR) {
            return statusOf(StructFields.getU8(ring, at + ErrCqe.SYNDROME)).code();
        }
        return (last & INLINE_SCATTER) == 0 ? SUCCESS : GENERAL_ERR;
    }

    private int vendorError(int at, int last) {
        int opcode = Mlx5CompletionRing.opcode(last);
        boolean error = opcode == MLX5_CQE_REQ_ERR || opcode == MLX5_CQE_RESP_ERR;
        return error ? StructFields.getU8(ring, at + ErrCqe.VENDOR_ERR_SYND) : 0;
    }

    private static WorkCompletionStatus statusOf(int syndrome) {
        return switch (syndrome) {
            case CqeCodes.MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR -> WorkCompletionStatus.LOC_LEN_ERR;
            case CqeCodes.MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR -> WorkCompletionStatus.LOC_QP_OP_ERR;
            case CqeCodes.MLX5_CQE_SYNDROME_LOCAL_PROT_ERR -> WorkCompletionStatus.LOC_PROT_ERR;
            case CqeCodes.MLX5_CQE_SYNDROME_WR_FLUSH_ERR -> WorkCompletionStatus.WR_FLUSH_ERR;
            case CqeCodes.MLX5_CQE_SYNDROME_MW_BIND_ERR -> WorkCompletionStatus.MW_BIND_ERR;
            case CqeCodes.MLX5_CQE_SYNDROME_BAD_RESP_ERR -> WorkCompletionStatus.BAD_RESP_ERR;
            case CqeCodes.MLX5_CQE_SYNDROME_LOCAL_ACCESS_ERR -> WorkCompletionStatus.LOC_ACCESS_ERR;
            case CqeCodes.MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR -> WorkCompletionStatus.REM_INV_REQ_ERR;
            case CqeCodes.MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR -> WorkCompletionStatus.REM_ACCESS_ERR;
            case CqeCodes.MLX5_CQE_SYNDROME_REMOTE_OP_ERR -> WorkCompletionStatus.REM_OP_ERR;
            case CqeCodes.MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR -> WorkCompletionStatus.RETRY_EXC_ERR;
            case CqeCodes.MLX5_CQE_SYNDROME_RNR_RETRY_EXC_ERR -> WorkCompletionStatus.RNR_RETRY_EXC_ERR;
            case CqeCodes.MLX5_CQE_SYNDROME_REMOTE_ABORTED_ERR -> WorkCompletionStatus.REM_ABORT_ERR;
            default -> WorkCompletionStatus.GENERAL_ERR;
        };
    }
}
