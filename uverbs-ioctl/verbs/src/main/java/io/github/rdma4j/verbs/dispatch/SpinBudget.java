// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

/**
 * How long to poll before a sleep. A completion that polling finds, or that ends a sleep shorter than the limit, makes the
 * whole limit worth while again; polling in vain halves the time. For one thread.
 */
final class SpinBudget {
    /** Below this, asking for the time takes longer than what is left. */
    private static final long LEAST_NANOS = 1_000;

    private final long limit;
    private long budget;
    private long since;
    private boolean idle;

    SpinBudget(long limitNanos) {
        limit = limitNanos;
        budget = limitNanos;
    }

    /** There was something to do. */
    void worked() {
        if (idle) {
            idle = false;
            budget = limit;
        }
    }

    /** There was nothing to do. True when it is time to sleep. */
    boolean isSpent(long now) {
        if (!idle) {
            idle = true;
            since = now;
        }
        if (now - since < budget) {
            return false;
        }
        budget = budget / 2 < LEAST_NANOS ? 0 : budget / 2;
        return true;
    }

    /** A sleep has ended; the next poll begins anew. */
    void slept(long nanos) {
        idle = false;
        if (nanos < limit) {
            budget = limit;
        }
    }
}
