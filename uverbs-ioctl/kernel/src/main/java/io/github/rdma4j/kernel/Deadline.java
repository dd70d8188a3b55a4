// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import java.time.Duration;

/** A time limit for an operation of several steps, on the monotonic clock. Immutable. */
public final class Deadline {
    private final boolean limited;
    private final long start;
    private final long nanos;

    private Deadline(boolean limited, long nanos) {
        this.limited = limited;
        this.start = limited ? System.nanoTime() : 0;
        this.nanos = nanos;
    }

    /** Returns a deadline without a limit. */
    public static Deadline never() {
        return new Deadline(false, 0);
    }

    /** Returns a deadline {@code timeout} from now; with zero or a negative time it has already expired. */
    public static Deadline after(Duration timeout) {
        try {
            return new Deadline(true, Math.max(0, timeout.toNanos()));
        } catch (ArithmeticException centuries) {
            return new Deadline(timeout.isNegative(), 0);
        }
    }

    /** Returns true if the time has elapsed. */
    public boolean expired() {
        return limited && System.nanoTime() - start >= nanos;
    }

    /** Returns the remaining nanoseconds: 0 if expired, {@link Long#MAX_VALUE} without a limit. */
    public long remainingNanos() {
        return limited ? Math.max(0, nanos - (System.nanoTime() - start)) : Long.MAX_VALUE;
    }

    /** Returns the time from start to deadline, for messages. */
    @Override
    public String toString() {
        return limited ? Duration.ofNanos(nanos).toString() : "no limit";
    }
}
