// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

/** Pieces of memory in sends and receives: an address, and a word with length and key. */
final class Pieces {
    private static final int LONGEST = Integer.MAX_VALUE;

    private Pieces() {}

    /**
     * The number of further pieces in the header of an element of {@code units} pieces. An empty piece makes the number
     * odd; only generation 2 counts the empty piece.
     */
    static int more(int generation, int units) {
        boolean counts = generation == 2 && (units & 1) == 0;
        return units == 0 ? 0 : counts ? units : units - 1;
    }

    /** The second word of a piece. X722 has no {@code valid} bit in it, and swaps length and key. */
    static long word(boolean firstGeneration, long valid, int length, int key) {
        return firstGeneration
                ? (long) key << Integer.SIZE | Integer.toUnsignedLong(length)
                : valid | (long) (length & LONGEST) << Integer.SIZE | Integer.toUnsignedLong(key);
    }
}
