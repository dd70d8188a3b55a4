// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.abi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Accessors for members of a C struct that {@link ByteBuffer} lacks: unsigned members shorter than an int, and
 * big-endian members in a buffer of any order. All positions are absolute.
 */
public final class StructFields {
    private static final int U8_MAX = 0xff;
    private static final int U16_MAX = 0xffff;
    private static final ByteBuffer NOTHING = allocate(0);

    private StructFields() {}

    /** Reads a {@code __u8}. */
    public static int getU8(ByteBuffer in, int offset) {
        return Byte.toUnsignedInt(in.get(offset));
    }

    /** Writes a {@code __u8}; throws {@link IllegalArgumentException} if the value does not fit. */
    public static void putU8(ByteBuffer out, int offset, int value) {
        out.put(offset, (byte) checked(value, U8_MAX, offset));
    }

    /** Reads a {@code __u16} in the order of the buffer. */
    public static int getU16(ByteBuffer in, int offset) {
        return Short.toUnsignedInt(in.getShort(offset));
    }

    /** Writes a {@code __u16} in the buffer's order; throws {@link IllegalArgumentException} if it does not fit. */
    public static void putU16(ByteBuffer out, int offset, int value) {
        out.putShort(offset, (short) checked(value, U16_MAX, offset));
    }

    /** Reads a {@code __be16}, independent of the order of the buffer. */
    public static int getBe16(ByteBuffer in, int offset) {
        return getU8(in, offset) << Byte.SIZE | getU8(in, offset + 1);
    }

    /** Writes a {@code __be16}; throws {@link IllegalArgumentException} if the value does not fit. */
    public static void putBe16(ByteBuffer out, int offset, int value) {
        checked(value, U16_MAX, offset);
        out.put(offset, (byte) (value >> Byte.SIZE));
        out.put(offset + 1, (byte) value);
    }

    /** Reads a {@code __be32}, independent of the order of the buffer. */
    public static int getBe32(ByteBuffer in, int offset) {
        int value = in.getInt(offset);
        return isBigEndian(in) ? value : Integer.reverseBytes(value);
    }

    /** Writes a {@code __be32}, independent of the order of the buffer. */
    public static void putBe32(ByteBuffer out, int offset, int value) {
        out.putInt(offset, isBigEndian(out) ? value : Integer.reverseBytes(value));
    }

    /** Reads a {@code __be64}, independent of the order of the buffer. */
    public static long getBe64(ByteBuffer in, int offset) {
        long value = in.getLong(offset);
        return isBigEndian(in) ? value : Long.reverseBytes(value);
    }

    /** Writes a {@code __be64}, independent of the order of the buffer. */
    public static void putBe64(ByteBuffer out, int offset, long value) {
        out.putLong(offset, isBigEndian(out) ? value : Long.reverseBytes(value));
    }

    /** Writes {@code length} zero bytes. */
    public static void zero(ByteBuffer out, int offset, int length) {
        for (int i = 0; i < length; i++) {
            out.put(offset + i, (byte) 0);
        }
    }

    /** A new zeroed buffer on the heap, in native order. */
    public static ByteBuffer allocate(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.nativeOrder());
    }

    /**
     * A copy on the heap, in native order. All empty copies share one buffer, because most drivers' replies are empty.
     */
    public static ByteBuffer copy(ByteBuffer in, int offset, int length) {
        return length == 0 ? NOTHING : allocate(length).put(0, in, offset, length);
    }

    private static boolean isBigEndian(ByteBuffer buffer) {
        return buffer.order() == ByteOrder.BIG_ENDIAN;
    }

    private static int checked(int value, int max, int offset) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(value + " at offset " + offset + " is not in 0.." + max);
        }
        return value;
    }
}
