// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import java.util.HexFormat;

/** Bytes in hexadecimal, where those that differ from one run of a program to the next are written as dots. */
final class Masked {
    private static final HexFormat HEX = HexFormat.of();

    private final StringBuilder digits;

    private Masked(byte[] bytes) {
        digits = new StringBuilder(HEX.formatHex(bytes));
    }

    static Masked of(byte[] bytes) {
        return new Masked(bytes);
    }

    /** Hides {@code length} bytes from {@code offset}, as far as there are that many. */
    Masked hide(int offset, int length) {
        for (int i = 2 * offset; i < Math.min(2 * (offset + length), digits.length()); i++) {
            digits.setCharAt(i, '.');
        }
        return this;
    }

    @Override
    public String toString() {
        return digits.toString();
    }
}
