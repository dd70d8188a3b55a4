// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.connectx.RingSizes;
import io.github.rdma4j.internal.connectx.RingSizes.ReceiveSizes;
import io.github.rdma4j.internal.connectx.RingSizes.SharedReceiveSizes;
import io.github.rdma4j.internal.connectx.Segments.AtomicSeg;
import io.github.rdma4j.internal.connectx.Segments.DataSeg;
import io.github.rdma4j.internal.connectx.Segments.RaddrSeg;
import io.github.rdma4j.internal.connectx.Segments.SrqNextSeg;
import io.github.rdma4j.internal.mlx4.Wqe.BindSeg;
import io.github.rdma4j.internal.mlx4.Wqe.CtrlSeg;
import io.github.rdma4j.internal.mlx4.Wqe.DatagramSeg;
import io.github.rdma4j.internal.mlx4.Wqe.InlineSeg;
import io.github.rdma4j.internal.mlx4.Wqe.WqeCodes;
import io.github.rdma4j.internal.provider.CountedSendRing.Capacities;
import io.github.rdma4j.internal.provider.RingMath;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;

/**
 * The sizes of rings. They equal the sizes that the kernel computes, and those of libmlx4. The kernel checks the limits
 * of the device, and fails with EINVAL; the limits here are those of the formats.
 */
final class Mlx4Sizes {
    /** The maximum number of requested entries, which are counted by 16 bits. */
    private static final int MOST_REQUESTS = 1 << 15;

    private static final int MOST_SHARED_RECEIVES = 0xffff;
    private static final int MOST_RECEIVE_SGE = 62;

    private Mlx4Sizes() {}

    static ReceiveSizes receives(QpCap cap) {
        RingSizes.require("maxReceiveWr", cap.maxReceiveWr(), MOST_REQUESTS);
        RingSizes.require("maxReceiveSge", cap.maxReceiveSge(), MOST_RECEIVE_SGE);
        int entry = RingMath.toPowerOfTwo(Math.max(1, cap.maxReceiveSge())) * DataSeg.BYTES;
        return new ReceiveSizes(RingMath.toPowerOfTwo(Math.max(1, cap.maxReceiveWr())), RingSizes.log2(entry));
    }

    static SharedReceiveSizes sharedReceives(int maxWr, int maxSge) {
        RingSizes.require("maxReceiveWr", maxWr, MOST_SHARED_RECEIVES);
        RingSizes.require("maxReceiveSge", maxSge, MOST_RECEIVE_SGE);
        int entry = Math.max(
                SrqNextSeg.BYTES + DataSeg.BYTES, RingMath.toPowerOfTwo(SrqNextSeg.BYTES + maxSge * DataSeg.BYTES));
        return new SharedReceiveSizes(RingMath.toPowerOfTwo(maxWr + 1), 0, maxSge, RingSizes.log2(entry));
    }

    /**
     * The size of a send ring. Each element has room for the longest work request. The device reads 2 KiB ahead, so
     * elements of 2 KiB, plus one, stay unused.
     *
     * @param count elements, a power of two
     * @param shift log2 of the element size in bytes
     * @param spare the number of elements that stay unused
     * @param maxSge scatter-gather entries of a work request
     * @param maxInline bytes of inline data of a work request
     */
    record SendSizes(int count, int shift, int spare, int maxSge, int maxInline) {
        /** The longest element: the control segment has 6 bits for the length, in units of 16 bytes. */
        private static final int LONGEST = 63 * DataSeg.BYTES;

        private static final int SHORTEST_SHIFT = 6;
        private static final int READ_AHEAD = 2048;

        static SendSizes of(QueuePairType type, QpCap cap) {
            RingSizes.require("maxSendWr", cap.maxSendWr(), MOST_REQUESTS);
            int before = CtrlSeg.BYTES + (type.isDatagram() ? DatagramSeg.BYTES : RaddrSeg.BYTES);
            RingSizes.require("maxSendSge", cap.maxSendSge(), (LONGEST - before) / DataSeg.BYTES);
            RingSizes.require("maxInline", cap.maxInline(), inlineRoom(LONGEST - before));
            int size = RingMath.toPowerOfTwo(Math.max(1 << SHORTEST_SHIFT, element(type, cap)));
            int shift = RingSizes.log2(size);
            int spare = (READ_AHEAD >> shift) + 1;
            int room = Math.min(size, LONGEST) - before;
            return new SendSizes(
                    RingMath.toPowerOfTwo(cap.maxSendWr() + spare),
                    shift,
                    spare,
                    room / DataSeg.BYTES,
                    inlineRoom(room));
        }

        /** The size of the longest work request in bytes. */
        private static int element(QueuePairType type, QpCap cap) {
            int inline = RingMath.toMultiple(
                    cap.maxInline() + inlineSegments(type, cap.maxInline()) * InlineSeg.BYTES, DataSeg.BYTES);
            int data = Math.max(inline, cap.maxSendSge() * DataSeg.BYTES);
            int connected = RaddrSeg.BYTES + data;
            int size = switch (type) {
                case UD -> DatagramSeg.BYTES + data;
                case UC -> connected;
                default -> Math.max(connected, RaddrSeg.BYTES + AtomicSeg.BYTES + DataSeg.BYTES);
            };
            return CtrlSeg.BYTES + Math.max(size, BindSeg.BYTES);
        }

        private static int inlineSegments(QueuePairType type, int bytes) {
            int perSegment = WqeCodes.MLX4_INLINE_ALIGN - InlineSeg.BYTES;
            int before = type.isDatagram() ? 0 : CtrlSeg.BYTES + RaddrSeg.BYTES;
            return (bytes + before + perSegment - 1) / perSegment;
        }

        /** The inline data that fits into {@code room} bytes at the end of an element: every 64 bytes need a header. */
        private static int inlineRoom(int room) {
            int segments = RingMath.toMultiple(room, WqeCodes.MLX4_INLINE_ALIGN) / WqeCodes.MLX4_INLINE_ALIGN;
            return room - InlineSeg.BYTES * segments;
        }

        /** The number of work requests that fit. */
        int requests() {
            return count - spare;
        }

        Capacities capacities() {
            return new Capacities(requests(), maxSge, maxInline);
        }

        int logCount() {
            return RingSizes.log2(count);
        }

        int bytes() {
            return count << shift;
        }
    }
}
