// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.AllocUcontextResp;
import io.github.rdma4j.internal.mlx5.Wqe.CtrlSeg;
import io.github.rdma4j.internal.mlx5.Wqe.DataSeg;
import io.github.rdma4j.internal.mlx5.Wqe.InlDataSeg;
import io.github.rdma4j.internal.mlx5.Wqe.SrqNextSeg;
import io.github.rdma4j.internal.mlx5.Wqe.WqeAv;
import io.github.rdma4j.internal.mlx5.Wqe.WqeCodes;
import io.github.rdma4j.internal.mlx5.Wqe.XrcSeg;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;

/** The sizes of rings, and the limits of the device. */
final class RingSizes {
    private RingSizes() {}

    /**
     * The limits of the device, from the reply that made the context.
     *
     * @param maxSendBytes bytes of a send work queue element
     * @param maxReceiveBytes bytes of a receive work queue element
     * @param maxSendBlocks 64-byte blocks of a send ring
     * @param maxReceives entries of a receive ring
     * @param maxSharedReceives entries of a shared receive ring
     */
    record QueueLimits(
            int maxSendBytes, int maxReceiveBytes, int maxSendBlocks, int maxReceives, int maxSharedReceives) {
        static QueueLimits of(ByteBuffer reply) {
            return new QueueLimits(
                    StructFields.getU16(reply, AllocUcontextResp.MAX_SQ_DESC_SZ),
                    StructFields.getU16(reply, AllocUcontextResp.MAX_RQ_DESC_SZ),
                    reply.getInt(AllocUcontextResp.MAX_SEND_WQEBB),
                    reply.getInt(AllocUcontextResp.MAX_RECV_WR),
                    reply.getInt(AllocUcontextResp.MAX_SRQ_RECV_WR));
        }
    }

    /**
     * The size of a send ring. Work queue elements vary in length; the ring has room for {@link #requests} of the
     * longest. The sizes equal the sizes of libmlx5, whose elements have room for the binding of a memory window, so
     * that both make the same ring.
     *
     * @param blocks 64-byte blocks, a power of two; 0 without a send queue
     * @param requests work requests that fit
     * @param maxSge scatter-gather entries of a work request
     * @param maxInline bytes of inline data of a work request
     */
    record SendSizes(int blocks, int requests, int maxSge, int maxInline) {
        static final SendSizes NONE = new SendSizes(0, 0, 0, 0);

        /** Control and remote address, and what the binding of a memory window takes. */
        private static final int CONNECTED_BYTES = 192;

        /** Control and address vector. */
        private static final int DATAGRAM_BYTES = CtrlSeg.BYTES + WqeAv.BYTES;

        /** The control segment says how long an element is in 6 bits, in units of 16 bytes. */
        private static final int LONGEST = 63 * DataSeg.BYTES;

        static SendSizes of(QueuePairType type, QpCap cap, QueueLimits limits) {
            if (cap.maxSendWr() == 0) {
                return NONE;
            }
            int before = type.isDatagram() ? DATAGRAM_BYTES : CONNECTED_BYTES + (type.isXrc() ? XrcSeg.BYTES : 0);
            int room = Math.min(limits.maxSendBytes(), type.isDatagram() ? LONGEST : Integer.MAX_VALUE) - before;
            require("maxSendSge", cap.maxSendSge(), room / DataSeg.BYTES);
            require("maxInline", cap.maxInline(), room - InlDataSeg.BYTES);
            int inline =
                    cap.maxInline() == 0 ? 0 : Rounding.toMultiple(InlDataSeg.BYTES + cap.maxInline(), DataSeg.BYTES);
            int element = Rounding.toMultiple(
                    before + Math.max(cap.maxSendSge() * DataSeg.BYTES, inline), WqeCodes.MLX5_SEND_WQE_BB);
            require("maxSendWr", cap.maxSendWr(), mostRequests(element, limits));
            int bytes = Rounding.toPowerOfTwo(cap.maxSendWr() * element);
            int maxInline = Math.max(0, Math.min(element - before, room) - InlDataSeg.BYTES);
            return new SendSizes(bytes >> WqeCodes.MLX5_SEND_WQE_SHIFT, bytes / element, cap.maxSendSge(), maxInline);
        }

        /** The number of elements that fit into the largest power of two of blocks. */
        private static int mostRequests(int element, QueueLimits limits) {
            return (Integer.highestOneBit(limits.maxSendBlocks()) << WqeCodes.MLX5_SEND_WQE_SHIFT) / element;
        }

        private static void require(String what, int asked, int most) {
            if (asked > most) {
                throw new IllegalArgumentException(
                        what + " is " + asked + "; with these capacities the device takes 0 to " + most);
            }
        }

        int bytes() {
            return blocks << WqeCodes.MLX5_SEND_WQE_SHIFT;
        }
    }

    /**
     * The size of a receive ring.
     *
     * @param entries a power of two; 0 without a receive queue
     * @param shift log2 of the bytes of an entry
     */
    record ReceiveSizes(int entries, int shift) {
        static final ReceiveSizes NONE = new ReceiveSizes(0, 0);

        /** The shortest ring in bytes. */
        private static final int SHORTEST = 64;

        static ReceiveSizes of(QpCap cap, QueueLimits limits) {
            if (cap.maxReceiveWr() == 0) {
                return NONE;
            }
            require("maxReceiveWr", cap.maxReceiveWr(), limits.maxReceives());
            require("maxReceiveSge", cap.maxReceiveSge(), limits.maxReceiveBytes() / DataSeg.BYTES);
            int entry = Rounding.toPowerOfTwo(Math.max(1, cap.maxReceiveSge()) * DataSeg.BYTES);
            int entries = Math.max(Rounding.toPowerOfTwo(cap.maxReceiveWr()), SHORTEST / entry);
            return new ReceiveSizes(entries, Integer.numberOfTrailingZeros(entry));
        }

        static void require(String what, int asked, int most) {
            if (asked > most) {
                throw new IllegalArgumentException(what + " is " + asked + "; the device takes 0 to " + most);
            }
        }

        int bytes() {
            return entries << shift;
        }
    }

    /**
     * The size of the ring of a shared receive queue. As in libmlx5, the ring has as many additional entries, which
     * rest: an entry must not be written soon after a page fault, because the kernel may still read it.
     *
     * @param entries the entries of the list, a power of two; one entry stays unused
     * @param resting the entries outside the list, at the end of the ring; 0 if the device has no room for them
     * @param shift log2 of the bytes of an entry
     */
    record SharedReceiveSizes(int entries, int resting, int shift) {
        static SharedReceiveSizes of(int maxWr, int maxSge, QueueLimits limits) {
            ReceiveSizes.require("maxReceiveWr", maxWr, limits.maxSharedReceives() - 1);
            ReceiveSizes.require(
                    "maxReceiveSge", maxSge, (limits.maxReceiveBytes() - SrqNextSeg.BYTES) / DataSeg.BYTES);
            int entry = Math.max(
                    SrqNextSeg.BYTES + DataSeg.BYTES,
                    Rounding.toPowerOfTwo(SrqNextSeg.BYTES + Math.max(1, maxSge) * DataSeg.BYTES));
            int entries = Rounding.toPowerOfTwo(maxWr + 1);
            long withResting = 2L * maxWr + 1;
            int all = withResting <= limits.maxSharedReceives() ? Rounding.toPowerOfTwo((int) withResting) : entries;
            return new SharedReceiveSizes(entries, all - entries, Integer.numberOfTrailingZeros(entry));
        }

        int all() {
            return entries + resting;
        }

        /** The number in the command, from which the kernel computes the size of the ring. */
        int toRequest() {
            return all() - 1;
        }

        int bytes() {
            return all() << shift;
        }
    }

    /** Numbers rounded up. */
    static final class Rounding {
        private Rounding() {}

        /** The smallest power of two that is not smaller than {@code number}, which is 1 to 2^30. */
        static int toPowerOfTwo(int number) {
            return number <= 1 ? 1 : Integer.highestOneBit(number - 1) << 1;
        }

        /** The smallest multiple of {@code unit}, a power of two, that is not smaller than {@code number}. */
        static int toMultiple(int number, int unit) {
            return (number + unit - 1) & -unit;
        }
    }
}
