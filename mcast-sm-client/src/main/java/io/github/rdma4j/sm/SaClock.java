// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.Deadline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The time services of a client: clock, timers, waits of callers, and slow tasks. Safe for use by several threads.
 * Tests replace them to skip hours in an instant.
 */
interface SaClock extends AutoCloseable {
    /** Nanoseconds since an arbitrary moment. */
    long nanoTime();

    /** Runs {@code task} once after the delay, on the timer thread; never if the clock is closed before. */
    Future<?> schedule(Runnable task, long delayNanos);

    /** Runs a task that reads the port, which may be slow, outside the timer thread. */
    void readPort(Runnable task);

    /** Waits for the outcome of {@code future}. */
    <T> T await(CompletableFuture<T> future, Deadline deadline)
            throws InterruptedException, ExecutionException, TimeoutException;

    /** Drops all timers. */
    @Override
    void close();

    /** The machine's clock, with a timer thread and a thread that reads the port; both end when idle. */
    final class OfMachine implements SaClock {
        private static final long THREAD_KEEP_ALIVE_SECONDS = 5;

        private final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(
                1, SaThreads.named("rdma4j-sa-timer"), new ThreadPoolExecutor.DiscardPolicy());

        private final SaThreads.Worker reader =
                new SaThreads.Worker(SaThreads.named("rdma4j-sa-port"), new LinkedBlockingQueue<>());

        OfMachine() {
            timers.setRemoveOnCancelPolicy(true);
            timers.setKeepAliveTime(THREAD_KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
            timers.allowCoreThreadTimeOut(true);
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Future<?> schedule(Runnable task, long delayNanos) {
            return timers.schedule(task, Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
        }

        @Override
        public void readPort(Runnable task) {
            reader.execute(task);
        }

        @Override
        public <T> T await(CompletableFuture<T> future, Deadline deadline)
                throws InterruptedException, ExecutionException, TimeoutException {
            return future.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public void close() {
            timers.shutdownNow();
            reader.close();
        }
    }
}
