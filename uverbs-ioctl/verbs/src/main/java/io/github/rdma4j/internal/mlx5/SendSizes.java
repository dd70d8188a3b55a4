// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;

/**
 * How large a send ring is. Work queue elements vary in length; the ring has room for {@link #requests} of the longest. The
 * numbers are those of libmlx5, whose elements leave room for the binding of a memory window, so that both lay out the same
 * ring.
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
        int inline = cap.maxInline() == 0 ? 0 : Rounding.toMultiple(InlDataSeg.BYTES + cap.maxInline(), DataSeg.BYTES);
        int element = Rounding.toMultiple(
                before + Math.max(cap.maxSendSge() * DataSeg.BYTES, inline), WqeCodes.MLX5_SEND_WQE_BB);
        require("maxSendWr", cap.maxSendWr(), mostRequests(element, limits));
        int bytes = Rounding.toPowerOfTwo(cap.maxSendWr() * element);
        int maxInline = Math.max(0, Math.min(element - before, room) - InlDataSeg.BYTES);
        return new SendSizes(bytes >> WqeCodes.MLX5_SEND_WQE_SHIFT, bytes / element, cap.maxSendSge(), maxInline);
    }

    /** As many elements as the largest power of two of blocks takes. */
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
