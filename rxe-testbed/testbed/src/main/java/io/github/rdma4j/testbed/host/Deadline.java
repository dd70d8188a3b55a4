// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.host;

import java.time.Duration;

/** The end of a wait, on the monotonic clock. A limit of centuries, which the clock cannot count, is no limit. */
public final class Deadline {
    private final long start = System.nanoTime();
    private final long nanos;

    private Deadline(long nanos) {
        this.nanos = nanos;
    }

    /** No limit. */
    public static Deadline never() {
        return new Deadline(Long.MAX_VALUE);
    }

    /** {@code limit} from now; zero or a negative time has expired already. */
    public static Deadline after(Duration limit) {
        try {
            return new Deadline(Math.max(0, limit.toNanos()));
        } catch (ArithmeticException centuries) {
            return limit.isNegative() ? new Deadline(0) : never();
        }
    }

    /** The remaining time in nanoseconds: 0 when the deadline has expired, {@link Long#MAX_VALUE} for no limit. */
    public long remainingNanos() {
        return nanos == Long.MAX_VALUE ? nanos : Math.max(0, nanos - (System.nanoTime() - start));
    }

    public boolean expired() {
        return remainingNanos() == 0;
    }
}
