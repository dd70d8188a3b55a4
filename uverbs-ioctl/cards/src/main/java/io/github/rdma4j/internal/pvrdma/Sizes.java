// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.provider.RingMath;
import io.github.rdma4j.internal.pvrdma.Wqe.Sge;

/** Sizes of rings, computed as in the driver and the device. */
final class Sizes {
    /** The maximum number of slots of a ring, whose size in bytes must fit into an int. */
    private static final int MOST_SLOTS = 1 << 20;

    private Sizes() {}

    /** The number of slots of a ring for {@code wanted} work requests or completions. */
    static int slots(int wanted) {
        if (wanted > MOST_SLOTS) {
            throw new IllegalArgumentException("a queue of " + wanted + " entries; it has 1 to " + MOST_SLOTS);
        }
        return RingMath.toPowerOfTwo(wanted);
    }

    /** The size of a work request with a header of {@code header} bytes and {@code sge} scatter-gather entries. */
    static int workRequest(int header, int sge) {
        return RingMath.toPowerOfTwo(header + sge * Sge.BYTES);
    }

    /** Rounds up to whole pages, at least one. */
    static int pages(int bytes, int pageSize) {
        return Math.max(pageSize, RingMath.toMultiple(bytes, pageSize));
    }
}
