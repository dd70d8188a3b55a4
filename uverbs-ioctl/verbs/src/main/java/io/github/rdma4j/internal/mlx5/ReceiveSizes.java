// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.verbs.attr.QpCap;

/**
 * How large a receive ring is.
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
