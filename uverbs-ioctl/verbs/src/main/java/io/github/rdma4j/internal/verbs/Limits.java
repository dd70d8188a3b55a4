// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

import java.time.Duration;

/** Time limits. */
public final class Limits {
    private Limits() {}

    /** Returns {@code limit} in nanoseconds; {@link Long#MAX_VALUE}, for no limit, if it does not fit into a long. */
    public static long nanos(Duration limit) {
        try {
            return Math.max(0, limit.toNanos());
        } catch (ArithmeticException centuries) {
            return limit.isNegative() ? 0 : Long.MAX_VALUE;
        }
    }
}
