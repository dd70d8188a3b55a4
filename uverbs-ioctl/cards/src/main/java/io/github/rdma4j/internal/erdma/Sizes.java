// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.erdma.Elements.Doorbells;
import io.github.rdma4j.internal.provider.RingMath;
import io.github.rdma4j.verbs.attr.QpCap;

/** The sizes of rings, as the driver computes them. */
final class Sizes {
    private static final int FEWEST_COMPLETIONS = 64;
    private static final int MOST = 1 << 24;

    private Sizes() {}

    /** Rounds up to whole pages of 4096 bytes. */
    static int pages(int bytes) {
        return RingMath.toMultiple(bytes, Doorbells.PAGE);
    }

    static int completions(int wanted) {
        RingMath.require("the number of completions", wanted, 1, MOST);
        return Math.max(FEWEST_COMPLETIONS, RingMath.toPowerOfTwo(wanted));
    }

    static int sendBlocks(QpCap cap) {
        return RingMath.toPowerOfTwo(cap.maxSendWr() * Elements.MOST_BLOCKS);
    }

    static int receives(QpCap cap) {
        return RingMath.toPowerOfTwo(cap.maxReceiveWr());
    }

    /** Raises empty queues, which the device rejects, to one element. The kernel checks the maximum. */
    static QpCap cap(QpCap wanted) {
        RingMath.require("maxSendWr", wanted.maxSendWr(), 0, Short.MAX_VALUE / Elements.MOST_BLOCKS + 1);
        RingMath.require("maxReceiveWr", wanted.maxReceiveWr(), 0, Short.MAX_VALUE + 1);
        RingMath.require("maxSendSge", wanted.maxSendSge(), 0, Elements.MOST_SEND_PIECES);
        RingMath.require("maxReceiveSge", wanted.maxReceiveSge(), 0, Elements.MOST_RECEIVE_PIECES);
        RingMath.require("maxInline", wanted.maxInline(), 0, Elements.MOST_INLINE);
        return new QpCap(
                Math.max(1, wanted.maxSendWr()),
                Math.max(1, wanted.maxReceiveWr()),
                wanted.maxSendSge(),
                wanted.maxReceiveSge(),
                wanted.maxInline());
    }
}
