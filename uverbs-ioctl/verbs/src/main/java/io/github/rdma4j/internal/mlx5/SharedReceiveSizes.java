// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

/**
 * How large the ring of a shared receive queue is. As libmlx5 does, the ring has as many entries again to rest, so that an entry is
 * not written to soon after a page fault: the kernel may still read it.
 *
 * @param entries those of the list, a power of two; one of them stays unused
 * @param resting those beside the list, in the ring behind the others; 0 where the device has no room for them
 * @param shift log2 of the bytes of an entry
 */
record SharedReceiveSizes(int entries, int resting, int shift) {
    static SharedReceiveSizes of(int maxWr, int maxSge, QueueLimits limits) {
        ReceiveSizes.require("maxReceiveWr", maxWr, limits.maxSharedReceives() - 1);
        ReceiveSizes.require("maxReceiveSge", maxSge, (limits.maxReceiveBytes() - SrqNextSeg.BYTES) / DataSeg.BYTES);
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

    /** What to ask the kernel for, which computes the size of the ring from it. */
    int toRequest() {
        return all() - 1;
    }

    int bytes() {
        return all() << shift;
    }
}
