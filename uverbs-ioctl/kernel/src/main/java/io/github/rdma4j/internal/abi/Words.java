// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.abi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * The memory of a ring as numbers of eight bytes, with one or two fields each. An access costs less than in a byte
 * buffer, which checks its byte order each time and its bounds twice, and fewer accesses are needed.
 */
public final class Words {
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final int SHIFT = 3;

    private Words() {}

    /** The words of {@code memory}, which begins at a page. */
    public static LongBuffer of(ByteBuffer memory) {
        return memory.asLongBuffer();
    }

    /** The index of the word that contains the byte at {@code offset}, which is not negative. */
    public static int index(int offset) {
        // Not a division: HotSpot learns from the shift that the index is not negative.
        return offset >>> SHIFT;
    }

    /** The word whose first four bytes in memory are {@code first}. */
    public static long pair(int first, int second) {
        return LITTLE_ENDIAN ? join(second, first) : join(first, second);
    }

    private static long join(int high, int low) {
        return (long) high << Integer.SIZE | Integer.toUnsignedLong(low);
    }

    /** The four bytes of {@code word} that come first in memory. */
    public static int first(long word) {
        return (int) (LITTLE_ENDIAN ? word : word >>> Integer.SIZE);
    }

    /** The four bytes of {@code word} that come next. */
    public static int second(long word) {
        return (int) (LITTLE_ENDIAN ? word >>> Integer.SIZE : word);
    }

    /** Two bytes of {@code word}, {@code offset} bytes after its first, as an unsigned number. */
    public static int getU16(long word, int offset) {
        return Short.toUnsignedInt((short) (word >>> shift(offset, Short.BYTES)));
    }

    /** One byte of {@code word}, {@code offset} bytes after its first, as an unsigned number. */
    public static int getU8(long word, int offset) {
        return Byte.toUnsignedInt((byte) (word >>> shift(offset, Byte.BYTES)));
    }

    /** The word with {@code value} in the two bytes that {@link #getU16} reads, and zeros elsewhere. */
    public static long ofU16(int value, int offset) {
        return Short.toUnsignedLong((short) value) << shift(offset, Short.BYTES);
    }

    /** The word with {@code value} in the byte that {@link #getU8} reads, and zeros elsewhere. */
    public static long ofU8(int value, int offset) {
        return Byte.toUnsignedLong((byte) value) << shift(offset, Byte.BYTES);
    }

    private static int shift(int offset, int bytes) {
        return Byte.SIZE * (LITTLE_ENDIAN ? offset : Long.BYTES - bytes - offset);
    }

    /** Swaps {@code number} between native and big-endian byte order. */
    public static int bigEndian(int number) {
        return LITTLE_ENDIAN ? Integer.reverseBytes(number) : number;
    }

    /** Swaps {@code number} between native and big-endian byte order. */
    public static long bigEndian(long number) {
        return LITTLE_ENDIAN ? Long.reverseBytes(number) : number;
    }

    /** Two neighbouring words of a big-endian buffer as one number, so that one store writes both. */
    public static long bigEndianPair(int first, int second) {
        return join(first, second);
    }
}
