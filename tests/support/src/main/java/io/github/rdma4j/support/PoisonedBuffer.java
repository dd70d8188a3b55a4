// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.BiConsumer;

/** Little-endian buffers for codecs, full of 0xa5 where nothing was written, so that a forgotten member shows. */
public final class PoisonedBuffer {
    private static final byte POISON = (byte) 0xa5;
    private static final int BASE = 8;

    private PoisonedBuffer() {}

    /** What the encoder writes, in hex; fails if it writes outside of the {@code length} bytes at its base. */
    public static String encoded(int length, BiConsumer<ByteBuffer, Integer> encoder) {
        return encoded(length, POISON, encoder);
    }

    /** Like {@link #encoded}, for an encoder that relies on zeros at its base. */
    public static String encodedInZeros(int length, BiConsumer<ByteBuffer, Integer> encoder) {
        return encoded(length, (byte) 0, encoder);
    }

    private static String encoded(int length, byte before, BiConsumer<ByteBuffer, Integer> encoder) {
        byte[] bytes = new byte[BASE + length + BASE];
        Arrays.fill(bytes, POISON);
        Arrays.fill(bytes, BASE, BASE + length, before);
        encoder.accept(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), BASE);
        byte[] poison = new byte[BASE];
        Arrays.fill(poison, POISON);
        assertThat(Arrays.copyOf(bytes, BASE)).as("before").isEqualTo(poison);
        assertThat(Arrays.copyOfRange(bytes, BASE + length, bytes.length))
                .as("after")
                .isEqualTo(poison);
        return HexFormat.of().formatHex(bytes, BASE, BASE + length);
    }

    /** The bytes of hex digits, spaces aside. */
    public static ByteBuffer of(String... hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex(hex))).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Hex digits without spaces. */
    public static String hex(String... hex) {
        return String.join("", hex).replace(" ", "");
    }
}
