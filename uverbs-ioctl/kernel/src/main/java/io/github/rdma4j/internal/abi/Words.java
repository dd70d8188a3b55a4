// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.abi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * A ring's memory as numbers of eight bytes, each of which holds one field or two. An access costs less here than in a
 * byte buffer, which looks for its byte order each time and compares the position twice; and there are fewer of them.
 */
public final class Words {
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final int SHIFT = 3;

    private Words() {}

    /** The words of {@code memory}, which begins at a page. */
    public static LongBuffer of(ByteBuffer memory) {
        return memory.asLongBuffer();
    }

    /** The index of the word that the byte at {@code offset}, which is not negative, lies in. */
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

    /** The two bytes of {@code word} that come first in memory, as a number that is not negative. */
    public static int firstShort(long word) {
        return Short.toUnsignedInt((short) (LITTLE_ENDIAN ? word : word >>> (Long.SIZE - Short.SIZE)));
    }

    /** The word whose first two bytes in memory are the number {@code first}, and whose others are zeros. */
    public static long ofFirstShort(int first) {
        long bits = Short.toUnsignedLong((short) first);
        return LITTLE_ENDIAN ? bits : bits << (Long.SIZE - Short.SIZE);
    }
}
