// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.connectx.RingSizes;
import io.github.rdma4j.internal.connectx.RingSizes.ReceiveSizes;
import io.github.rdma4j.internal.connectx.RingSizes.SharedReceiveSizes;
import io.github.rdma4j.internal.connectx.Segments.DataSeg;
import io.github.rdma4j.internal.connectx.Segments.SrqNextSeg;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.AllocUcontextResp;
import io.github.rdma4j.internal.mlx5.Wqe.CtrlSeg;
import io.github.rdma4j.internal.mlx5.Wqe.InlDataSeg;
import io.github.rdma4j.internal.mlx5.Wqe.WqeAv;
import io.github.rdma4j.internal.mlx5.Wqe.WqeCodes;
import io.github.rdma4j.internal.mlx5.Wqe.XrcSeg;
import io.github.rdma4j.internal.provider.CountedSendRing.Capacities;
import io.github.rdma4j.internal.provider.RingMath;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;

/**
 * The limits of the device, from the reply to GET_CONTEXT, and the ring sizes within them.
 *
 * @param maxSendBytes the maximum size of a send work queue element in bytes
 * @param maxReceiveBytes the maximum size of a receive work queue element in bytes
 * @param maxSendBlocks the maximum number of 64-byte blocks of a send ring
 * @param maxReceives the maximum number of entries of a receive ring
 * @param maxSharedReceives the maximum number of entries of a shared receive ring
 */
record QueueLimits(int maxSendBytes, int maxReceiveBytes, int maxSendBlocks, int maxReceives, int maxSharedReceives) {
    /** The minimum size of a receive ring in bytes. */
    private static final int SHORTEST = 64;

    static QueueLimits of(ByteBuffer reply) {
        return new QueueLimits(
                StructFields.getU16(reply, AllocUcontextResp.MAX_SQ_DESC_SZ),
                StructFields.getU16(reply, AllocUcontextResp.MAX_RQ_DESC_SZ),
                reply.getInt(AllocUcontextResp.MAX_SEND_WQEBB),
                reply.getInt(AllocUcontextResp.MAX_RECV_WR),
                reply.getInt(AllocUcontextResp.MAX_SRQ_RECV_WR));
    }

    ReceiveSizes receives(QpCap cap) {
        if (cap.maxReceiveWr() == 0) {
            return ReceiveSizes.NONE;
        }
        RingMath.require("maxReceiveWr", cap.maxReceiveWr(), 0, maxReceives);
        RingMath.require("maxReceiveSge", cap.maxReceiveSge(), 0, maxReceiveBytes / DataSeg.BYTES);
        int entry = RingMath.toPowerOfTwo(Math.max(1, cap.maxReceiveSge()) * DataSeg.BYTES);
        int entries = Math.max(RingMath.toPowerOfTwo(cap.maxReceiveWr()), SHORTEST / entry);
        return new ReceiveSizes(entries, RingSizes.log2(entry));
    }

    /**
     * The size of the ring of a shared receive queue. As in libmlx5, the ring has twice the entries if the device
     * allows, and the additional entries rest: an entry must not be rewritten soon after a page fault, because the
     * kernel may still read it.
     */
    SharedReceiveSizes sharedReceives(int maxWr, int maxSge) {
        RingMath.require("maxReceiveWr", maxWr, 0, maxSharedReceives - 1);
        RingMath.require("maxReceiveSge", maxSge, 0, (maxReceiveBytes - SrqNextSeg.BYTES) / DataSeg.BYTES);
        int entry = RingMath.toPowerOfTwo(SrqNextSeg.BYTES + Math.max(1, maxSge) * DataSeg.BYTES);
        int entries = RingMath.toPowerOfTwo(maxWr + 1);
        long withResting = 2L * maxWr + 1;
        int all = withResting <= maxSharedReceives ? RingMath.toPowerOfTwo((int) withResting) : entries;
        int room = (entry - SrqNextSeg.BYTES) / DataSeg.BYTES;
        return new SharedReceiveSizes(entries, all - entries, room, RingSizes.log2(entry));
    }

    /**
     * The size of a send ring. Work queue elements vary in length; the ring has room for {@link #requests} of maximum
     * length. The sizes equal those of libmlx5, whose elements have room for the binding of a memory window.
     *
     * @param blocks 64-byte blocks, a power of two; 0 without a send queue
     * @param requests work requests that fit
     * @param maxSge scatter-gather entries of a work request
     * @param maxInline bytes of inline data of a work request
     */
    record SendSizes(int blocks, int requests, int maxSge, int maxInline) {
        static final SendSizes NONE = new SendSizes(0, 0, 0, 0);

        /** The control and remote address segments, and the binding of a memory window. */
        private static final int CONNECTED_BYTES = 192;

        /** The control segment and the address vector. */
        private static final int DATAGRAM_BYTES = CtrlSeg.BYTES + WqeAv.BYTES;

        /** The longest element: the control segment has 6 bits for the length, in units of 16 bytes. */
        private static final int LONGEST = 63 * DataSeg.BYTES;

        static SendSizes of(QueuePairType type, QpCap cap, QueueLimits limits) {
            if (cap.maxSendWr() == 0) {
                return NONE;
            }
            int before = type.isDatagram() ? DATAGRAM_BYTES : CONNECTED_BYTES + (type.isXrc() ? XrcSeg.BYTES : 0);
            int room = Math.min(limits.maxSendBytes(), type.isDatagram() ? LONGEST : Integer.MAX_VALUE) - before;
            RingSizes.require("maxSendSge", cap.maxSendSge(), room / DataSeg.BYTES);
            RingSizes.require("maxInline", cap.maxInline(), room - InlDataSeg.BYTES);
            int inline =
                    cap.maxInline() == 0 ? 0 : RingMath.toMultiple(InlDataSeg.BYTES + cap.maxInline(), DataSeg.BYTES);
            int element = RingMath.toMultiple(
                    before + Math.max(cap.maxSendSge() * DataSeg.BYTES, inline), WqeCodes.MLX5_SEND_WQE_BB);
            RingSizes.require("maxSendWr", cap.maxSendWr(), mostRequests(element, limits));
            int bytes = RingMath.toPowerOfTwo(cap.maxSendWr() * element);
            int maxInline = Math.max(0, Math.min(element - before, room) - InlDataSeg.BYTES);
            return new SendSizes(bytes >> WqeCodes.MLX5_SEND_WQE_SHIFT, bytes / element, cap.maxSendSge(), maxInline);
        }

        /** The number of elements that fit into the largest possible ring. */
        private static int mostRequests(int element, QueueLimits limits) {
            return (Integer.highestOneBit(limits.maxSendBlocks()) << WqeCodes.MLX5_SEND_WQE_SHIFT) / element;
        }

        Capacities capacities() {
            return new Capacities(requests, maxSge, maxInline);
        }

        int bytes() {
            return blocks << WqeCodes.MLX5_SEND_WQE_SHIFT;
        }
    }
}
