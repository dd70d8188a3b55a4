// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.pvrdma.Wqe.Sge;

/** Sizes of rings, computed as in the driver and the device. */
final class Sizes {
    /** The maximum number of slots of a ring, whose size in bytes must fit into an int. */
    private static final int MOST_SLOTS = 1 << 20;

    private Sizes() {}

    /** The smallest power of two not smaller than {@code number}. */
    static int powerOfTwo(int number) {
        return number <= 1 ? 1 : Integer.highestOneBit(number - 1) << 1;
    }

    /** The number of slots of a ring for {@code wanted} work requests or completions. */
    static int slots(int wanted) {
        if (wanted > MOST_SLOTS) {
            throw new IllegalArgumentException("a queue of " + wanted + " entries; it has 1 to " + MOST_SLOTS);
        }
        return powerOfTwo(wanted);
    }

    /** The size of a work request with a header of {@code header} bytes and {@code sge} scatter-gather entries. */
    static int workRequest(int header, int sge) {
        return powerOfTwo(header + sge * Sge.BYTES);
    }

    /** Rounds up to whole pages. */
    static int pages(int bytes, int pageSize) {
        return Math.max(1, (bytes + pageSize - 1) / pageSize) * pageSize;
    }
}
