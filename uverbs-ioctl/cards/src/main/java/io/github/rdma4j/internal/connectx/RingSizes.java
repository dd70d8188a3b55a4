// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.connectx;

import io.github.rdma4j.internal.connectx.Segments.DataSeg;
import io.github.rdma4j.internal.connectx.Segments.SrqNextSeg;
import java.nio.ByteBuffer;

/** Computes sizes of rings. */
public final class RingSizes {
    private RingSizes() {}

    /** Rejects a capacity that is too large together with the others. */
    public static void require(String what, int asked, int most) {
        if (asked > most) {
            throw new IllegalArgumentException(
                    what + " is " + asked + "; with these capacities the device takes 0 to " + most);
        }
    }

    /** The logarithm of a power of two. */
    public static int log2(int powerOfTwo) {
        return Integer.numberOfTrailingZeros(powerOfTwo);
    }

    /**
     * The size of a receive ring.
     *
     * @param entries a power of two; 0 without a receive queue
     * @param shift log2 of the entry size in bytes
     */
    public record ReceiveSizes(int entries, int shift) {
        /** No receive queue. */
        public static final ReceiveSizes NONE = new ReceiveSizes(0, 0);

        /** The maximum number of scatter-gather entries of a receive. */
        int maxSge() {
            return (1 << shift) / DataSeg.BYTES;
        }

        /** The size of the ring in bytes. */
        public int bytes() {
            return entries << shift;
        }
    }

    /**
     * The size of the ring of a shared receive queue.
     *
     * @param entries the entries of the list, a power of two; one entry stays unused
     * @param resting the entries outside the list, at the end of the ring
     * @param maxSge scatter-gather entries of a receive
     * @param shift log2 of the entry size in bytes
     */
    public record SharedReceiveSizes(int entries, int resting, int maxSge, int shift) {
        /** The number of all entries of the ring. */
        public int all() {
            return entries + resting;
        }

        /** The size of the ring in bytes. */
        public int bytes() {
            return all() << shift;
        }

        /** Writes into entry {@code last} of the ring that {@code next} follows. */
        void link(ByteBuffer ring, int last, int next) {
            ring.putShort((last << shift) + SrqNextSeg.NEXT_WQE_INDEX, (short) next);
        }
    }
}
