// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

import java.time.Duration;

/** Time limits. */
public final class Limits {
    private Limits() {}

    /** A time limit in nanoseconds; a limit that does not fit into a long counts as no limit. */
    public static long nanos(Duration limit) {
        try {
            return Math.max(0, limit.toNanos());
        } catch (ArithmeticException centuries) {
            return limit.isNegative() ? 0 : Long.MAX_VALUE;
        }
    }
}
