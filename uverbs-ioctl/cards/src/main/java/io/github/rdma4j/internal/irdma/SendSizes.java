// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.provider.CountedSendRing.Capacities;
import io.github.rdma4j.verbs.attr.QpCap;

/**
 * The limits of a send queue.
 *
 * @param maxSge pieces of a send
 * @param maxReadSge pieces of an RDMA read
 * @param maxInline bytes of inline data
 * @param shift log2 of the number of quanta of the largest element
 * @param chunk the size of a chunk in quanta, whose boundary an element must not cross
 * @param generation 1 for X722
 * @param atomics true if the device has atomic operations
 * @param capabilities {@link #WRITES_IMMEDIATE}, {@link #SENDS_IMMEDIATE}
 * @param firstSends the number of elements that the kernel sends before those of the program
 */
record SendSizes(
        int maxSge,
        int maxReadSge,
        int maxInline,
        int shift,
        int chunk,
        int generation,
        boolean atomics,
        int capabilities,
        int firstSends) {
    /** RDMA writes may have immediate data. */
    static final int WRITES_IMMEDIATE = 1;

    /** Sends may have immediate data. */
    static final int SENDS_IMMEDIATE = 2;

    SendSizes(Attributes attributes, QpCap cap, int capabilities, int firstSends) {
        this(
                cap.maxSendSge(),
                Math.min(cap.maxSendSge(), attributes.readPieces()),
                cap.maxInline(),
                new Sizes(attributes).sendShift(cap),
                attributes.chunk(),
                attributes.generation(),
                attributes.has(Attributes.ATOMICS),
                capabilities,
                firstSends);
    }

    boolean firstGeneration() {
        return generation == 1;
    }

    /** The capacities of a ring of {@code quanta}: as many requests as fit if all have the maximum size. */
    Capacities capacities(int quanta) {
        return new Capacities(Math.max(0, quanta - Sizes.SEND_RESERVE) >> shift, maxSge, maxInline);
    }
}
