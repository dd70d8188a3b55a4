// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.provider.RingMath;
import io.github.rdma4j.verbs.attr.QpCap;

/**
 * The sizes of rings, as the driver computes them from the capacities of a queue pair.
 *
 * @param chip the device
 */
record Sizes(Chip chip) {
    /** Elements of a send ring that stay unused. */
    static final int GAP = 129;

    private static final int HEADER = Elements.HEADER_SLOTS * Elements.SLOT;
    private static final int SLOT_ALIGNMENT = 256;
    private static final int MOST_REQUESTS = 1 << 16;

    /**
     * The sizes of a send ring.
     *
     * @param elements the minimum number of elements
     * @param slots the slots of all elements
     * @param names the number of names for elements in completions
     * @param packets the packet number entries behind the elements
     */
    record Sends(int elements, int slots, int names, int packets) {
        /** The number of requests that fit, whatever their length. */
        int requests() {
            return elements - GAP;
        }
    }

    /**
     * The sizes of a receive ring.
     *
     * @param elements the number of elements, of which one stays unused
     * @param slots the slots of an element
     */
    record Receives(int elements, int slots) {
        /** No receive ring. */
        static final Receives NONE = new Receives(0, 0);

        int bytes() {
            return elements * slots * Elements.SLOT;
        }
    }

    /** The number of elements of a ring that needs at least {@code least}. */
    int depth(int least) {
        return chip.exact() ? least : RingMath.toPowerOfTwo(least);
    }

    Sends sends(QpCap cap) {
        int elements = depth(cap.maxSendWr() + GAP);
        if (!chip.variable()) {
            int packets = chip.table() ? RingMath.toPowerOfTwo(elements) : elements;
            return new Sends(elements, elements * Elements.FIXED_SLOTS, elements, packets);
        }
        int size = HEADER + cap.maxSendSge() * Elements.SLOT;
        if (cap.maxInline() > 0) {
            size = RingMath.toMultiple(
                    Math.max(size, HEADER + RingMath.toMultiple(cap.maxInline(), Elements.SLOT)), HEADER);
        }
        int slots = RingMath.toMultiple(elements * size / Elements.SLOT, SLOT_ALIGNMENT);
        return new Sends(elements, slots, slots, chip.table() ? RingMath.toPowerOfTwo(slots) : slots);
    }

    /** The number of used entries of the packet table. */
    int tableEntries(Sends sends) {
        return chip.variable() ? RingMath.toPowerOfTwo(sends.slots()) / 2 : sends.packets();
    }

    int sendBytes(Sends sends) {
        return sends.slots() * Elements.SLOT + sends.packets() * chip.packetBytes();
    }

    Receives receives(QpCap cap) {
        int slots = chip.variable() ? Elements.HEADER_SLOTS + cap.maxReceiveSge() : Elements.FIXED_SLOTS;
        return new Receives(depth(cap.maxReceiveWr() + 1), slots);
    }

    /** The capacities to request: a receive needs at least one piece. */
    QpCap toRequest(QpCap wanted) {
        int pieces = chip.variable() ? Elements.MOST_PIECES : Elements.FIXED_PIECES;
        RingMath.require("maxSendWr", wanted.maxSendWr(), 0, MOST_REQUESTS);
        RingMath.require("maxReceiveWr", wanted.maxReceiveWr(), 0, MOST_REQUESTS);
        RingMath.require("maxSendSge", wanted.maxSendSge(), 0, pieces);
        RingMath.require("maxReceiveSge", wanted.maxReceiveSge(), 0, pieces);
        RingMath.require("maxInline", wanted.maxInline(), 0, Elements.MOST_INLINE);
        int least = wanted.maxReceiveWr() > 0 ? 1 : 0;
        return new QpCap(
                wanted.maxSendWr(),
                wanted.maxReceiveWr(),
                wanted.maxSendSge(),
                Math.max(least, wanted.maxReceiveSge()),
                wanted.maxInline());
    }

    /**
     * The number of completions to request. If the device supports twice the wanted number, the result is even, and the
     * consumer index is reported after half of the ring. Otherwise the result is odd, or the maximum.
     */
    int completionsToRequest(int wanted) {
        if (wanted > chip.completions()) {
            throw new IllegalArgumentException(
                    "a completion queue of " + wanted + " entries; it has 1 to " + chip.completions());
        }
        if (2 * wanted < chip.completions()) {
            return 2 * wanted;
        }
        return Math.min(wanted | 1, chip.completions());
    }

    /** True if the consumer index of a ring requested with {@code asked} entries is reported after half of the ring. */
    boolean isDeferred(int asked) {
        return (asked & 1) == 0 && asked < chip.completions();
    }

    /** The entries of a completion ring. */
    int completions(int asked) {
        return Math.min(depth(asked + 1), chip.completions() + 1);
    }

    /** The number of completions that fit while the device's view of the consumer index lags behind. */
    int capacity(int entries, boolean deferred) {
        return deferred ? entries - entries / 2 : entries - 1;
    }
}
