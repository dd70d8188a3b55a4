// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

/**
 * The code of an MTU, a rate or a life time, of which a query can ask for more than, less than or exactly as much: two
 * bits and six in one byte.
 *
 * @param selector {@link #GREATER}, {@link #LESS}, {@link #EXACTLY} or {@link #BEST}
 * @param code the code, 0 to 63: {@code IBV_MTU_*}, {@code IBV_RATE_*} or the exponent of a life time
 */
public record Selected(int selector, int code) {
    public static final int GREATER = 0;
    public static final int LESS = 1;
    public static final int EXACTLY = 2;

    /** The largest MTU or rate, the smallest life time. */
    public static final int BEST = 3;

    private static final int CODE_MAX = 0x3f;

    /** Throws {@link IllegalArgumentException} for values that do not fit. */
    public Selected {
        PathRecord.check("selector", selector, BEST);
        PathRecord.check("code", code, CODE_MAX);
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

    /** The largest MTU or rate, the smallest life time. */
    public static Selected best() {
        return new Selected(BEST, 0);
    }
}
