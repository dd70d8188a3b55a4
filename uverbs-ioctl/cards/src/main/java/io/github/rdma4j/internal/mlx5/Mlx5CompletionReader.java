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
import io.github.rdma4j.internal.connectx.CompletionReader;
import io.github.rdma4j.internal.connectx.ConnectxQueueRings;
import io.github.rdma4j.internal.connectx.ConnectxReceiveRing;
import io.github.rdma4j.internal.connectx.ConnectxSharedReceiveRing;
import io.github.rdma4j.internal.connectx.Segments.Codes;
import io.github.rdma4j.internal.mlx5.Cqe.Cqe64;
import io.github.rdma4j.internal.mlx5.Cqe.CqeCodes;
import io.github.rdma4j.internal.mlx5.Cqe.ErrCqe;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout.WcFlags;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reads entries of versions 0 and 1. */
final class Mlx5CompletionReader extends CompletionReader {
    static final int OPCODE_SHIFT = 4;

    private static final int OPCODE_MASK = 0xf;
    private static final int COUNTER_SHIFT = 16;
    private static final int WQE_OPCODE_SHIFT = 24;
    private static final int GRH_BITS = 3 << 28;
    private static final int PKEY_MASK = 0xffff;
    private static final int SERVICE_LEVEL_SHIFT = 24;
    private static final int SERVICE_LEVEL_MASK = 0xf;
    private static final int PATH_BITS_MASK = 0x7f;

    /** The flags of an entry that contains the received data, which this provider never requests. */
    private static final int INLINE_SCATTER = CqeCodes.MLX5_INLINE_SCATTER_32 | CqeCodes.MLX5_INLINE_SCATTER_64;

    private static final int GENERAL_ERR = WorkCompletionStatus.GENERAL_ERR.code();

    /** True with version 0, in which a queue pair of this context may have the number of a former XRC target. */
    private final boolean xrcFirst;

    private long faults;

    Mlx5CompletionReader(CompletionRing cq, ByteBuffer ring, Mlx5Parts parts) {
        super(cq, ring, parts.shared(), places(parts.cqeVersion()));
        this.xrcFirst = parts.cqeVersion() == 0;
    }

    private static Places places(int version) {
        return new Places(
                version == 0 ? Cqe64.SOP_DROP_QPN : Cqe64.SRQN_UIDX,
                Cqe64.SOP_DROP_QPN,
                Cqe64.SRQN_UIDX,
                Cqe64.IMM_INVAL_PKEY,
                Cqe64.BYTE_CNT,
                Cqe64.FLAGS_RQPN);
    }

    @Override
    protected long postedAgain() {
        return faults;
    }

    private static int opcode(int last) {
        return last >>> OPCODE_SHIFT & OPCODE_MASK;
    }

    private static boolean isError(int last) {
        return opcode(last) == MLX5_CQE_REQ_ERR || opcode(last) == MLX5_CQE_RESP_ERR;
    }

    /** The queue of XRC in an entry; null for other entries. */
    private @Nullable ConnectxSharedReceiveRing xrcOf(int at, int last) {
        return isReceive(last) ? xrcOf(at) : null;
    }

    @Override
    protected boolean isReceive(int last) {
        int opcode = opcode(last);
        return (opcode >= MLX5_CQE_RESP_WR_IMM && opcode <= MLX5_CQE_RESP_SEND_INV) || opcode == MLX5_CQE_RESP_ERR;
    }

    @Override
    protected boolean isOf(Object queue, int at, int last) {
        ConnectxSharedReceiveRing xrc = xrcOf(at, last);
        return xrc != null ? xrc == queue : queues(numberOf(at)) == queue;
    }

    @Override
    protected <C> boolean read(int at, int last, C into, CompletionSink<C> sink) {
        ConnectxQueueRings of = queues(numberOf(at));
        if (of == null || xrcFirst) {
            ConnectxSharedReceiveRing xrc = xrcOf(at, last);
            if (xrc != null) {
                return readXrc(at, last, xrc, into, sink);
            }
            if (of == null) {
                return false;
            }
        }
        return switch (opcode(last)) {
            case MLX5_CQE_REQ, MLX5_CQE_REQ_ERR -> readSend(at, last, of, into, sink);
            case MLX5_CQE_RESP_WR_IMM,
                    MLX5_CQE_RESP_SEND,
                    MLX5_CQE_RESP_SEND_IMM,
                    MLX5_CQE_RESP_SEND_INV,
                    MLX5_CQE_RESP_ERR -> readReceive(at, last, of, into, sink);
            default -> false;
        };
    }

    @Override
    protected int counterOf(int at, int last) {
        return last >>> COUNTER_SHIFT;
    }

    @Override
    protected int entryOf(ConnectxReceiveRing own, int last) {
        return own.entryOf(last >>> COUNTER_SHIFT);
    }

    /** An entry of a failure may lack the operation. */
    @Override
    protected int sendOpcode(int at, int last, int status) {
        int opcode = operation(ring().getInt(at + Cqe64.SOP_DROP_QPN) >>> WQE_OPCODE_SHIFT);
        return opcode == NONE && status != SUCCESS ? SEND : opcode;
    }

    /** Reposts a receive that failed with a page fault. */
    @Override
    protected boolean completes(ConnectxSharedReceiveRing shared, int at, int last) {
        boolean posted = super.completes(shared, at, last);
        if (posted && isPageFault(at, last)) {
            shared.postAgain(counterOf(at, last));
            faults++;
            return false;
        }
        return posted;
    }

    private boolean isPageFault(int at, int last) {
        return opcode(last) == MLX5_CQE_RESP_ERR
                && StructFields.getU8(ring(), at + ErrCqe.SYNDROME) == Codes.CQE_SYNDROME_REMOTE_ABORTED_ERR
                && StructFields.getU8(ring(), at + ErrCqe.VENDOR_ERR_SYND)
                        == CqeCodes.MLX5_CQE_VENDOR_SYNDROME_ODP_PFAULT;
    }

    @Override
    protected int kindOf(int last) {
        return switch (opcode(last)) {
            case MLX5_CQE_RESP_WR_IMM -> OF_WRITE | WcFlags.IBV_WC_WITH_IMM;
            case MLX5_CQE_RESP_SEND_IMM -> WcFlags.IBV_WC_WITH_IMM;
            case MLX5_CQE_RESP_SEND_INV -> WcFlags.IBV_WC_WITH_INV;
            default -> 0;
        };
    }

    @Override
    protected boolean hasGrh(int source) {
        return (source & GRH_BITS) != 0;
    }

    @Override
    protected long path(ConnectxQueueRings of, int at, int source, int data) {
        return WorkCompletionLayout.path(
                data & PKEY_MASK,
                StructFields.getU16(ring(), at + Cqe64.SLID),
                source >>> SERVICE_LEVEL_SHIFT & SERVICE_LEVEL_MASK,
                StructFields.getU8(ring(), at + Cqe64.ML_PATH) & PATH_BITS_MASK);
    }

    @Override
    protected int status(int at, int last) {
        if (isError(last)) {
            return statusOf(StructFields.getU8(ring(), at + ErrCqe.SYNDROME));
        }
        return (last & INLINE_SCATTER) == 0 ? SUCCESS : GENERAL_ERR;
    }

    @Override
    protected int vendorError(int at, int last) {
        return isError(last) ? StructFields.getU8(ring(), at + ErrCqe.VENDOR_ERR_SYND) : 0;
    }
}
