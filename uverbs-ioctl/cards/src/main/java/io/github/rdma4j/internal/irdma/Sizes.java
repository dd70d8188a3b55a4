// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.provider.RingMath;
import io.github.rdma4j.verbs.attr.QpCap;

/**
 * The sizes of rings, as the driver computes them from the capacities of a queue pair.
 *
 * @param attributes the properties of the device
 */
record Sizes(Attributes attributes) {
    /** Quanta of a send ring that stay unused: those that are invalidated ahead. */
    static final int SEND_RESERVE = 258;

    private static final int RECEIVE_RESERVE = 1;
    private static final int FEWEST_COMPLETIONS = 4;
    private static final int SHIFT_OF_RECEIVES_OF_GENERATION_1 = 2;

    /** Rounds up to whole pages. */
    static int pages(int bytes) {
        return RingMath.toMultiple(bytes, Elements.PAGE);
    }

    /** The number of entries of a completion ring. A 32-byte entry may be followed by another with immediate data. */
    int completions(int wanted) {
        int most = attributes.completions();
        int of = entriesOfCompletion();
        // entries of 64 bytes come in pairs
        boolean even = attributes.has(Attributes.WIDE_COMPLETIONS);
        RingMath.require("the number of completions", wanted, 1, most / of - (even ? 2 : 1));
        int entries = of * (wanted + 1);
        return Math.max(FEWEST_COMPLETIONS, even ? entries + 1 & -2 : entries);
    }

    /** The completions that fit into a ring of {@code entries}. */
    int capacity(int entries) {
        return entries / entriesOfCompletion() - 1;
    }

    private int entriesOfCompletion() {
        return attributes.firstGeneration() || attributes.has(Attributes.WIDE_COMPLETIONS) ? 1 : 2;
    }

    /** Log2 of the number of quanta of the largest send. */
    int sendShift(QpCap cap) {
        return attributes.firstGeneration()
                ? shiftOfGeneration1(cap.maxSendSge(), cap.maxInline())
                : shift(cap.maxSendSge() + 1, cap.maxInline());
    }

    /** Log2 of the number of quanta of each receive. */
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
        if (pieces <= 1 && inline <= InlineData.FIRST_OF_GENERATION_1) {
            return 0;
        }
        return pieces < 4 && inline <= 48 ? 1 : 2;
    }

    /**
     * The capacities to request: those of the program or, for older kernels, the number of elements of maximum size
     * that fit.
     */
    QpCap toRequest(QpCap wanted) {
        boolean shared = wanted.maxReceiveWr() == 0 && wanted.maxReceiveSge() == 0;
        QpCap cap = shared && attributes.has(Attributes.SHARES_RECEIVES) ? withUnusedReceives(wanted) : wanted;
        QpCap ofRings = ofRings(cap);
        return attributes.raw() ? cap : ofRings;
    }

    /** Adds the receives that libirdma requests for a queue pair with a shared receive queue. */
    private QpCap withUnusedReceives(QpCap cap) {
        return new QpCap(cap.maxSendWr(), 1, cap.maxSendSge(), attributes.pieces(), cap.maxInline());
    }

    /** The number of maximum-size elements that fit into the rings of a request. */
    QpCap requested(QpCap cap) {
        return attributes.raw() ? ofRings(cap) : cap;
    }

    private QpCap ofRings(QpCap wanted) {
        RingMath.require("maxSendSge", wanted.maxSendSge(), 0, attributes.pieces());
        RingMath.require("maxReceiveSge", wanted.maxReceiveSge(), 0, attributes.pieces());
        RingMath.require("maxInline", wanted.maxInline(), 0, attributes.inline());
        int sendShift = sendShift(wanted);
        int receiveShift = receiveShift(wanted);
        RingMath.require("maxSendWr", wanted.maxSendWr(), 0, (attributes.sendQuanta() - SEND_RESERVE) >> sendShift);
        RingMath.require(
                "maxReceiveWr", wanted.maxReceiveWr(), 0, mostReceives(attributes.receiveQuanta(), receiveShift));
        int sends = RingMath.toPowerOfTwo((wanted.maxSendWr() << sendShift) + SEND_RESERVE) >> sendShift;
        return new QpCap(
                Math.max(attributes.fewestRequests(), sends),
                elements(wanted.maxReceiveWr(), receiveShift),
                wanted.maxSendSge(),
                wanted.maxReceiveSge(),
                wanted.maxInline());
    }

    private static int mostReceives(int quanta, int shift) {
        return (quanta - RECEIVE_RESERVE) >> shift;
    }

    /** The number of elements of a receive ring for {@code receives}. */
    private int elements(int receives, int shift) {
        return Math.max(
                attributes.fewestRequests(), RingMath.toPowerOfTwo((receives << shift) + RECEIVE_RESERVE) >> shift);
    }

    /** The number of elements of a shared receive ring for {@code receives} of {@code pieces}. */
    int sharedElements(int receives, int pieces) {
        RingMath.require("maxReceiveSge of a shared receive queue", pieces, 0, attributes.pieces());
        int shift = shift(pieces, 0);
        int most = mostReceives(attributes.sharedQuanta(), shift);
        RingMath.require("maxReceiveWr of a shared receive queue", receives, 0, most);
        return elements(receives, shift);
    }

    /** Log2 of the number of quanta of each shared receive. */
    static int sharedShift(int pieces) {
        return shift(pieces, 0);
    }
}
