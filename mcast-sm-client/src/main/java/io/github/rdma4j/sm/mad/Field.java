// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.internal.uverbs.PathRecordBytes;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord.Selected;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A field of a record: the position of its bits and its bits in the component mask. All records are big-endian.
 *
 * @param name the name in error messages
 * @param offset the byte with the first bit
 * @param firstBit the first bit of that byte, 0 for the most significant bit
 * @param width the number of bits
 * @param components the bits of the component mask; 0 for a field that no template sets
 */
record Field(String name, int offset, int firstBit, int width, long components) {
    /** A field of {@code length} whole bytes. */
    static Field bytes(String name, int offset, int length) {
        return new Field(name, offset, 0, length * Byte.SIZE, 0);
    }

    /** A field of {@code width} bits, the first of them bit {@code firstBit} of the byte at {@code offset}. */
    static Field bits(String name, int offset, int firstBit, int width) {
        return new Field(name, offset, firstBit, width, 0);
    }

    /** This field with its bit of the component mask, numbered from 0. */
    Field component(int bit) {
        return new Field(name, offset, firstBit, width, components | 1L << bit);
    }

    /** Field {@code index} of {@code count} equal fields, of which this is the first. */
    Field element(int index, int count) {
        Objects.checkIndex(index, count);
        return new Field(name, offset + index * length(), firstBit, width, components << index);
    }

    private int length() {
        return (firstBit + width + Byte.SIZE - 1) / Byte.SIZE;
    }

    private int shift() {
        return length() * Byte.SIZE - firstBit - width;
    }

    private long max() {
        return -1L >>> (Long.SIZE - width);
    }

    private long word(ByteBuffer record) {
        long word = 0;
        for (int i = 0; i < length(); i++) {
            word = word << Byte.SIZE | Byte.toUnsignedLong(record.get(offset + i));
        }
        return word;
    }

    /** The value of a field of at most 64 bits. */
    long getLong(ByteBuffer record) {
        return word(record) >>> shift() & max();
    }

    /** The value of a field of at most 32 bits. */
    int get(ByteBuffer record) {
        return (int) getLong(record);
    }

    boolean isSet(ByteBuffer record) {
        return getLong(record) != 0;
    }

    Gid gid(ByteBuffer record) {
        return GidBytes.decode(record, offset);
    }

    Selected selected(ByteBuffer record) {
        return PathRecordBytes.selected(record, offset);
    }

    /** A read-only copy of the bytes. */
    ByteBuffer copy(ByteBuffer record) {
        return ByteBuffer.allocate(length()).put(0, record, offset, length()).asReadOnlyBuffer();
    }

    /** The UTF-8 text, which ends before the first zero byte, if there is one. */
    String text(ByteBuffer record) {
        int end = 0;
        while (end < length() && record.get(offset + end) != 0) {
            end++;
        }
        return StandardCharsets.UTF_8.decode(record.slice(offset, end)).toString();
    }

    /**
     * Throws {@link IllegalArgumentException} if {@code value} does not fit; a field of 32 or 64 bits takes every
     * value.
     */
    int check(int value) {
        if (width < Integer.SIZE && (value & ~max()) != 0) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be from 0 to " + max());
        }
        return value;
    }

    /** Writes a field of at most 32 bits. */
    void put(ByteBuffer record, int value) {
        putLong(record, check(value));
    }

    /** Writes a field of at most 64 bits. */
    void putLong(ByteBuffer record, long value) {
        long word = (word(record) & ~(max() << shift())) | ((value & max()) << shift());
        for (int i = length() - 1; i >= 0; i--) {
            record.put(offset + i, (byte) word);
            word >>>= Byte.SIZE;
        }
    }

    void put(ByteBuffer record, Gid gid) {
        GidBytes.encode(gid, record, offset);
    }

    void put(ByteBuffer record, Selected value) {
        putLong(record, PathRecordBytes.octet(value));
    }

    /** Writes the bytes, and zeros up to the end of the field. */
    void put(ByteBuffer record, byte[] value) {
        if (value.length > length()) {
            throw new IllegalArgumentException(name + " has " + length() + " bytes, not " + value.length);
        }
        record.put(offset, value).put(offset + value.length, new byte[length() - value.length]);
    }
}
