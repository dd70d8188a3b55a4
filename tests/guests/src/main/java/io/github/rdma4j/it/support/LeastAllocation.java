// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import com.sun.management.ThreadMXBean;
import io.github.rdma4j.support.Await;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What one thread allocates in many rounds: the least of several series, after a series that warms up. Now and then a thread
 * sleeps, or the JVM allocates for itself.
 */
public final class LeastAllocation {
    public static final int ROUNDS = 500;
    public static final int SERIES = 20;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final CompletableFuture<Long> bytes = new CompletableFuture<>();
    private int rounds;
    private long before;
    private long least = Long.MAX_VALUE;

    /** A round is over; false after the last. For the thread that is measured. */
    public boolean goesOn() {
        rounds++;
        if (rounds % ROUNDS != 0) {
            return true;
        }
        long now = threads.getCurrentThreadAllocatedBytes();
        if (rounds > ROUNDS) {
            least = Math.min(least, now - before);
        }
        if (least == 0 || rounds == (1 + SERIES) * ROUNDS) {
            bytes.complete(least);
            return false;
        }
        before = threads.getCurrentThreadAllocatedBytes();
        return true;
    }

    /** Whether the last round is over. */
    public boolean isOver() {
        return bytes.isDone();
    }

    /** The bytes of one series, when the last is over. */
    public long bytes() throws Exception {
        return bytes.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
}
