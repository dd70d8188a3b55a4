// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.erdma.Elements.Doorbells;
import io.github.rdma4j.verbs.attr.QpCap;

/** The sizes of rings, as the driver computes them. */
final class Sizes {
    private static final int FEWEST_COMPLETIONS = 64;
    private static final int MOST = 1 << 24;

    private Sizes() {}

    /** The smallest power of two not smaller than {@code number}, which is 1 to 2^30. */
    static int powerOfTwo(int number) {
        return number <= 1 ? 1 : Integer.highestOneBit(number - 1) << 1;
    }

    static boolean isPowerOfTwo(int number) {
        return number > 0 && Integer.bitCount(number) == 1;
    }

    /** Rounds up to whole pages of 4096 bytes. */
    static int pages(int bytes) {
        return (bytes + Doorbells.PAGE - 1) & -Doorbells.PAGE;
    }

    static int completions(int wanted) {
        require("the number of completions", wanted, 1, MOST);
        return Math.max(FEWEST_COMPLETIONS, powerOfTwo(wanted));
    }

    static int sendBlocks(QpCap cap) {
        return powerOfTwo(cap.maxSendWr() * Elements.MOST_BLOCKS);
    }

    static int receives(QpCap cap) {
        return powerOfTwo(cap.maxReceiveWr());
    }

    /** Raises empty queues, which the device rejects, to one element. The kernel checks the maximum. */
    static QpCap cap(QpCap wanted) {
        require("maxSendWr", wanted.maxSendWr(), 0, Short.MAX_VALUE / Elements.MOST_BLOCKS + 1);
        require("maxReceiveWr", wanted.maxReceiveWr(), 0, Short.MAX_VALUE + 1);
        require("maxSendSge", wanted.maxSendSge(), 0, Elements.MOST_SEND_PIECES);
        require("maxReceiveSge", wanted.maxReceiveSge(), 0, Elements.MOST_RECEIVE_PIECES);
        require("maxInline", wanted.maxInline(), 0, Elements.MOST_INLINE);
        return new QpCap(
                Math.max(1, wanted.maxSendWr()),
                Math.max(1, wanted.maxReceiveWr()),
                wanted.maxSendSge(),
                wanted.maxReceiveSge(),
                wanted.maxInline());
    }

    private static void require(String what, int asked, int least, int most) {
        if (asked < least || asked > most) {
            throw new IllegalArgumentException(what + " is " + asked + "; the device takes " + least + " to " + most);
        }
    }
}
