// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.connectx.CompletionReader;
import io.github.rdma4j.internal.connectx.ConnectxQueueRings;
import io.github.rdma4j.internal.connectx.ConnectxReceiveRing;
import io.github.rdma4j.internal.connectx.ConnectxSharedReceiveRing;
import io.github.rdma4j.internal.connectx.Segments.Codes;
import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Cqe.CqeCodes;
import io.github.rdma4j.internal.mlx4.Cqe.ErrCqe;
import io.github.rdma4j.internal.mlx4.Wqe.WqeCodes;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout.WcFlags;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import java.nio.ByteBuffer;

/** Reads the 32 meaningful bytes of an entry. */
final class Mlx4CompletionReader extends CompletionReader {
    private static final Places PLACES = new Places(
            CqeBytes.VLAN_MY_QPN,
            CqeBytes.VLAN_MY_QPN,
            CqeBytes.G_MLPATH_RQPN,
            CqeBytes.IMMED_RSS_INVALID,
            CqeBytes.BYTE_CNT,
            CqeBytes.G_MLPATH_RQPN);

    /** The bit that is set in the numbers of XRC targets. */
    private static final int XRC_QPN_BIT = 1 << 23;

    private static final int GRH = 1 << 31;
    private static final int PATH_BITS_SHIFT = 24;
    private static final int PATH_BITS_MASK = 0x7f;
    private static final int PKEY_MASK = 0x7f;
    private static final int SERVICE_LEVEL_SHIFT = 12;
    private static final int PRIORITY_SHIFT = 13;

    Mlx4CompletionReader(CompletionRing cq, ByteBuffer ring, Mlx4Parts parts) {
        super(cq, ring, parts.shared(), PLACES);
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

    @Override
    protected boolean isReceive(int last) {
        return !isSend(last) && (opcode(last) <= CqeCodes.MLX4_RECV_OPCODE_SEND_INVAL || isError(last));
    }

    @Override
    protected boolean isOf(Object queue, int at, int last) {
        int qpn = numberOf(at);
        return (isOfTarget(qpn, last) ? xrcOf(at) : queues(qpn)) == queue;
    }

    @Override
    protected <C> boolean read(int at, int last, C into, CompletionSink<C> sink) {
        int qpn = numberOf(at);
        if (isOfTarget(qpn, last)) {
            ConnectxSharedReceiveRing xrc = xrcOf(at);
            return xrc != null && isReceive(last) && readXrc(at, last, xrc, into, sink);
        }
        ConnectxQueueRings of = queues(qpn);
        if (of == null) {
            return false;
        }
        return isSend(last)
                ? readSend(at, last, of, into, sink)
                : isReceive(last) && readReceive(at, last, of, into, sink);
    }

    @Override
    protected int counterOf(int at, int last) {
        return StructFields.getU16(ring(), at + CqeBytes.WQE_INDEX);
    }

    @Override
    protected int entryOf(ConnectxReceiveRing own, int last) {
        return own.oldest();
    }

    /** An entry of a failure has another number in place of the operation. */
    @Override
    protected int sendOpcode(int at, int last, int status) {
        int opcode = operation(opcode(last));
        return opcode != NONE ? opcode : otherOpcode(opcode(last));
    }

    private static int otherOpcode(int code) {
        return switch (code) {
            case Codes.OPCODE_SEND_INVAL, CqeCodes.MLX4_CQE_OPCODE_ERROR -> SEND;
            case WqeCodes.MLX4_OPCODE_LOCAL_INVAL -> WorkCompletionOpcode.LOCAL_INV.code();
            case WqeCodes.MLX4_OPCODE_BIND_MW -> WorkCompletionOpcode.BIND_MW.code();
            default -> NONE;
        };
    }

    @Override
    protected int kindOf(int last) {
        return switch (opcode(last)) {
            case CqeCodes.MLX4_RECV_OPCODE_RDMA_WRITE_IMM -> OF_WRITE | WcFlags.IBV_WC_WITH_IMM;
            case CqeCodes.MLX4_RECV_OPCODE_SEND_IMM -> WcFlags.IBV_WC_WITH_IMM;
            case CqeCodes.MLX4_RECV_OPCODE_SEND_INVAL -> WcFlags.IBV_WC_WITH_INV;
            default -> 0;
        };
    }

    @Override
    protected boolean hasGrh(int source) {
        return (source & GRH) != 0;
    }

    @Override
    protected long path(ConnectxQueueRings of, int at, int source, int data) {
        int service = StructFields.getU16(ring(), at + CqeBytes.SL_VID);
        return WorkCompletionLayout.path(
                data & PKEY_MASK,
                StructFields.getU16(ring(), at + CqeBytes.RLID),
                service >>> (((Mlx4QueueRings) of).isOnEthernet() ? PRIORITY_SHIFT : SERVICE_LEVEL_SHIFT),
                source >>> PATH_BITS_SHIFT & PATH_BITS_MASK);
    }

    @Override
    protected int status(int at, int last) {
        return isError(last) ? statusOf(StructFields.getU8(ring(), at + ErrCqe.SYNDROME)) : SUCCESS;
    }

    @Override
    protected int vendorError(int at, int last) {
        return isError(last) ? StructFields.getU8(ring(), at + ErrCqe.VENDOR_ERR) : 0;
    }
}
