// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace.wire;

/**
 * A field of a message, as the tables of the InfiniBand specification give it.
 *
 * @param name the specification's name
 * @param bit the first bit, counted from the most significant bit of the first byte behind the MAD header
 * @param bits how many bits the field has; a field of more than 64 is bytes
 */
public record Field(String name, int bit, int bits) {
    private static final int MOST_BITS_OF_A_NUMBER = Long.SIZE;

    /** Whether the field is bytes, such as a GID or private data, and not a number. */
    public boolean isBytes() {
        return bits > MOST_BITS_OF_A_NUMBER;
    }

    int end() {
        return bit + bits;
    }

    /** Reads a number from {@code data}, where the message begins at {@code base}. */
    long read(byte[] data, int base) {
        long value = 0;
        for (int at = bit; at < end(); at++) {
            value = value << 1 | (data[base + at / Byte.SIZE] >> (Byte.SIZE - 1 - at % Byte.SIZE) & 1);
        }
        return value;
    }

    /** Writes a number to {@code data}, where the message begins at {@code base}. */
    void write(byte[] data, int base, long value) {
        if (bits < MOST_BITS_OF_A_NUMBER && value >>> bits != 0) {
            throw new IllegalArgumentException(name + " has " + bits + " bits, " + value + " needs more");
        }
        for (int i = 0; i < bits; i++) {
            int at = bit + i;
            int mask = 1 << (Byte.SIZE - 1 - at % Byte.SIZE);
            boolean isSet = (value >> (bits - 1 - i) & 1) != 0;
            int old = data[base + at / Byte.SIZE];
            data[base + at / Byte.SIZE] = (byte) (isSet ? old | mask : old & ~mask);
        }
    }
}
