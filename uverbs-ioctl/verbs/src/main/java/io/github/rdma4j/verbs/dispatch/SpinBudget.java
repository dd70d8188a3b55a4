// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

/**
 * The time to poll before a sleep. A completion that polling finds, or that ends a sleep shorter than the limit,
 * restores the whole limit; polling in vain halves the time. For one thread.
 */
final class SpinBudget {
    /** Budgets below this are not worth the time of reading the clock. */
    private static final long LEAST_NANOS = 1_000;

    private final long limit;
    private long budget;
    private long since;
    private boolean idle;

    SpinBudget(long limitNanos) {
        limit = limitNanos;
        budget = limitNanos;
    }

    /** Records that polling found work. */
    void worked() {
        if (idle) {
            idle = false;
            budget = limit;
        }
    }

    /** Records that polling found nothing; returns true if the thread should sleep. */
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

    /** Records the end of a sleep. */
    void slept(long nanos) {
        idle = false;
        if (nanos < limit) {
            budget = limit;
        }
    }
}
