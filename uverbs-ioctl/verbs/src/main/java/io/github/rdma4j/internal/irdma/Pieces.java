// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

/** Pieces of memory in sends and receives: the address, and a word with length and key. */
final class Pieces {
    private static final int LONGEST = Integer.MAX_VALUE;

    private Pieces() {}

    /** The second word of a piece; X722 has it without the bit {@code valid}, and the other way round. */
    static long word(boolean firstGeneration, long valid, int length, int key) {
        return firstGeneration
                ? (long) key << Integer.SIZE | Integer.toUnsignedLong(length)
                : valid | (long) (length & LONGEST) << Integer.SIZE | Integer.toUnsignedLong(key);
    }
}
