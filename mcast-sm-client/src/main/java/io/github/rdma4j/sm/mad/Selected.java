// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;

/**
 * The code of an MTU, a rate or a life time, of which a query can ask for more than, less than or exactly as much: two
 * bits and six in one byte.
 *
 * @param selector {@link #GREATER}, {@link #LESS}, {@link #EXACTLY} or {@link #BEST}
 * @param code the code, 6 bits
 */
public record Selected(int selector, int code) {
    public static final int GREATER = 0;
    public static final int LESS = 1;
    public static final int EXACTLY = 2;

    /** The largest there is; of life times the smallest. */
    public static final int BEST = 3;

    private static final int SHIFT = 6;
    private static final int CODE_MAX = 0x3f;

    /** Throws {@link IllegalArgumentException} for what does not fit. */
    public Selected {
        Fields.check("selector", selector, BEST);
        Fields.check("code", code, CODE_MAX);
    }

    public static Selected greaterThan(int code) {
        return new Selected(GREATER, code);
    }

    public static Selected lessThan(int code) {
        return new Selected(LESS, code);
    }

    public static Selected exactly(int code) {
        return new Selected(EXACTLY, code);
    }

    /** The best there is. */
    public static Selected best() {
        return new Selected(BEST, 0);
    }

    int octet() {
        return selector << SHIFT | code;
    }

    static Selected decode(ByteBuffer in, int offset) {
        int octet = StructFields.getU8(in, offset);
        return new Selected(octet >> SHIFT, octet & CODE_MAX);
    }
}
