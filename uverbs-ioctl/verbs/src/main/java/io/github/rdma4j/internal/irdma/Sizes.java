// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.verbs.attr.QpCap;

/** The sizes of rings, as the driver computes them from the capacities of a queue pair. */
final class Sizes {
    /** Quanta of a send ring that stay empty: those that are cleared ahead. */
    static final int SEND_RESERVE = 258;

    private static final int RECEIVE_RESERVE = 1;
    private static final int FEWEST_REQUESTS = 8;
    private static final int FEWEST_COMPLETIONS = 4;
    private static final int SHIFT_OF_RECEIVES_OF_GENERATION_1 = 2;

    /** Inline data of an element by its quanta: in the first, and in each that follows. */
    private static final int FIRST_INLINE = 8;

    private static final int NEXT_INLINE = 31;
    private static final int FIRST_INLINE_OF_GENERATION_1 = 16;

    private final Attributes attributes;

    Sizes(Attributes attributes) {
        this.attributes = attributes;
    }

    /** Whole pages. */
    static int pages(int bytes) {
        return (bytes + Elements.PAGE - 1) & -Elements.PAGE;
    }

    static boolean isPowerOfTwo(int number) {
        return number > 0 && Integer.bitCount(number) == 1;
    }

    /** The most inline data of {@code chunk} quanta. */
    static int mostInline(boolean firstGeneration, int chunk) {
        return firstGeneration
                ? FIRST_INLINE_OF_GENERATION_1 + Elements.QUANTUM
                : FIRST_INLINE + (chunk - 1) * NEXT_INLINE;
    }

    /** The quanta of an element with {@code bytes} of inline data. */
    static int inlineQuanta(boolean firstGeneration, int bytes) {
        if (firstGeneration) {
            return bytes <= FIRST_INLINE_OF_GENERATION_1 ? 1 : 2;
        }
        return bytes <= FIRST_INLINE ? 1 : 1 + (bytes - FIRST_INLINE + NEXT_INLINE - 1) / NEXT_INLINE;
    }

    /** The smallest power of two that is not smaller than {@code number}, which is 1 to 2^30. */
    private static int powerOfTwo(int number) {
        return number <= 1 ? 1 : Integer.highestOneBit(number - 1) << 1;
    }

    /** The quanta of a completion ring, of which a message with immediate data takes two. */
    int completions(int wanted) {
        int most = attributes.completions();
        require("the number of completions", wanted, 1, attributes.firstGeneration() ? most - 1 : most / 2 - 1);
        int quanta = attributes.firstGeneration() ? wanted + 1 : 2 * (wanted + 1);
        return Math.max(FEWEST_COMPLETIONS, quanta);
    }

    /** The completions that fit into a ring of {@code quanta}. */
    int capacity(int quanta) {
        return (attributes.firstGeneration() ? quanta : quanta / 2) - 1;
    }

    /** The largest send has two to the power of this number of quanta. */
    int sendShift(QpCap cap) {
        return attributes.firstGeneration()
                ? shiftOfGeneration1(cap.maxSendSge(), cap.maxInline())
                : shift(cap.maxSendSge() + 1, cap.maxInline());
    }

    /** Each receive has two to the power of this number of quanta. */
    int receiveShift(QpCap cap) {
        return attributes.firstGeneration() ? SHIFT_OF_RECEIVES_OF_GENERATION_1 : shift(cap.maxReceiveSge(), 0);
    }

    private static int shift(int pieces, int inline) {
        if (pieces <= 1 && inline <= 8) {
            return 0;
        }
        if (pieces < 4 && inline <= 39) {
            return 1;
        }
        return pieces < 8 && inline <= 101 ? 2 : 3;
    }

    private static int shiftOfGeneration1(int pieces, int inline) {
        if (pieces <= 1 && inline <= FIRST_INLINE_OF_GENERATION_1) {
            return 0;
        }
        return pieces < 4 && inline <= 48 ? 1 : 2;
    }

    /** The capacities that the kernel takes: elements of the largest size that the rings have room for. */
    QpCap granted(QpCap wanted) {
        require("maxSendSge", wanted.maxSendSge(), 0, attributes.pieces());
        require("maxReceiveSge", wanted.maxReceiveSge(), 0, attributes.pieces());
        require("maxInline", wanted.maxInline(), 0, attributes.inline());
        int sendShift = sendShift(wanted);
        int receiveShift = receiveShift(wanted);
        int mostSends = (attributes.sendQuanta() - SEND_RESERVE) >> sendShift;
        int mostReceives = (attributes.receiveQuanta() - RECEIVE_RESERVE) >> receiveShift;
        require("maxSendWr", wanted.maxSendWr(), 0, mostSends);
        require("maxReceiveWr", wanted.maxReceiveWr(), 0, mostReceives);
        int sends = powerOfTwo((wanted.maxSendWr() << sendShift) + SEND_RESERVE) >> sendShift;
        int receives = powerOfTwo((wanted.maxReceiveWr() << receiveShift) + RECEIVE_RESERVE) >> receiveShift;
        return new QpCap(
                Math.max(FEWEST_REQUESTS, sends),
                Math.max(FEWEST_REQUESTS, receives),
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
