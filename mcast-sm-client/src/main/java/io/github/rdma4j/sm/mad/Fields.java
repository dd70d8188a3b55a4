// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What the bit fields of records have in common. */
final class Fields {
    private static final int NIBBLE_BITS = 4;

    private Fields() {}

    /** Throws {@link IllegalArgumentException} unless {@code value} is in 0..max. */
    static int check(String name, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(name + " " + value + " is not in 0.." + max);
        }
        return value;
    }

    static int highNibble(int octet) {
        return octet >> NIBBLE_BITS;
    }

    static int lowNibble(int octet) {
        return octet & 0xf;
    }

    /** The class of traffic (8 bits), service level (4) and flow label (20) share a word in ClassPortInfo. */
    static int serviceLevel(int tcSlFl) {
        return tcSlFl >>> 20 & 0xf;
    }

    /** A read-only copy of some bytes. */
    static ByteBuffer copy(ByteBuffer in, int offset, int length) {
        return ByteBuffer.allocate(length).put(0, in, offset, length).asReadOnlyBuffer();
    }

    /** The text in {@code length} bytes, which a zero byte may end early. */
    static String text(ByteBuffer in, int offset, int length) {
        byte[] bytes = new byte[length];
        in.get(offset, bytes);
        int end = 0;
        while (end < length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }
}
