// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

/** Pieces of memory in sends and receives: the address, and a word with length and key. */
final class Pieces {
    private static final int LONGEST = Integer.MAX_VALUE;

    private Pieces() {}

    /**
     * What the header of an element says of pieces behind the first, of {@code units}. Without an odd number an empty piece
     * follows, which only the second generation counts.
     */
    static int more(int generation, int units) {
        boolean counts = generation == 2 && (units & 1) == 0;
        return units == 0 ? 0 : counts ? units : units - 1;
    }

    /** The second word of a piece; X722 has it without the bit {@code valid}, and the other way round. */
    static long word(boolean firstGeneration, long valid, int length, int key) {
        return firstGeneration
                ? (long) key << Integer.SIZE | Integer.toUnsignedLong(length)
                : valid | (long) (length & LONGEST) << Integer.SIZE | Integer.toUnsignedLong(key);
    }
}
