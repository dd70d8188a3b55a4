// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import java.time.Duration;

/** The moment until which an operation of several steps may wait, on the monotonic clock. */
public final class Deadline {
    private final boolean limited;
    private final long start;
    private final long nanos;

    private Deadline(boolean limited, long nanos) {
        this.limited = limited;
        this.start = limited ? System.nanoTime() : 0;
        this.nanos = nanos;
    }

    /** No limit. */
    public static Deadline never() {
        return new Deadline(false, 0);
    }

    /** {@code timeout} from now; zero or a negative time has expired already. */
    public static Deadline after(Duration timeout) {
        try {
            return new Deadline(true, Math.max(0, timeout.toNanos()));
        } catch (ArithmeticException centuries) {
            return new Deadline(timeout.isNegative(), 0);
        }
    }

    public boolean expired() {
        return limited && System.nanoTime() - start >= nanos;
    }

    /** What is left, in nanoseconds: 0 when it has expired, {@link Long#MAX_VALUE} for no limit. */
    public long remainingNanos() {
        return limited ? Math.max(0, nanos - (System.nanoTime() - start)) : Long.MAX_VALUE;
    }

    /** The time from start to end, for messages. */
    @Override
    public String toString() {
        return limited ? Duration.ofNanos(nanos).toString() : "no limit";
    }
}
