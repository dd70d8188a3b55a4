// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until the test moves it: what is due then runs on the thread of the test. Safe for use by
 * several threads.
 */
class VirtualClock implements SaClock {
    private final PriorityQueue<Timer> timers =
            new PriorityQueue<>(Comparator.comparingLong(Timer::at).thenComparingLong(Timer::number));
    private final List<Runnable> cancelled = new ArrayList<>();
    private final @Nullable Duration longestWait;
    private long now;
    private long number;
    private boolean closed;

    /** What happens at a time; {@code ofClient}: the client has scheduled it. */
    private record Timer(long at, long number, Runnable task, boolean ofClient) {}

    /** A clock that only {@link #advance} moves. */
    VirtualClock() {
        this(null);
    }

    /** With a longest wait, a thread that waits for a future moves the clock, and fails after that time. */
    VirtualClock(@Nullable Duration longestWait) {
        this.longestWait = longestWait;
    }

    @Override
    public synchronized long nanoTime() {
        return now;
    }

    @Override
    public synchronized Future<?> schedule(Runnable task, long delayNanos) {
        long at = now + Math.max(0, delayNanos);
        FutureTask<Void> future = new FutureTask<>(task, null) {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                if (longestWait != null && at <= nanoTime()) {
                    return false; // it runs already, and waits for a lock
                }
                boolean first = super.cancel(mayInterrupt);
                if (first) {
                    forget(this, task);
                }
                return first;
            }
        };
        if (!closed) {
            timers.add(new Timer(at, number++, future, true));
        }
        return future;
    }

    @Override
    public void readPort(Runnable task) {
        task.run();
    }

    private synchronized void forget(Runnable timer, Runnable task) {
        timers.removeIf(other -> other.task() == timer);
        cancelled.add(task);
    }

    /** Makes something happen later that is not the client's. */
    synchronized void later(long delayNanos, Runnable event) {
        timers.add(new Timer(now + delayNanos, number++, event, false));
    }

    @Override
    public <T> T await(CompletableFuture<T> future, Deadline deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (longestWait == null) {
            return future.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
        }
        long start = nanoTime();
        long longest = longestWait.toNanos();
        long wanted = Duration.ofNanos(deadline.remainingNanos()).plusMillis(1).toMillis();
        long limit = wanted > longest / 1_000_000 ? Long.MAX_VALUE : wanted * 1_000_000;
        while (!future.isDone()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (nanoTime() - start > longest) {
                throw new AssertionError("an answer or a failure is late: after " + longestWait + " there is neither");
            }
            if (nanoTime() - start >= limit) {
                throw new TimeoutException();
            }
            if (!step()) {
                throw new AssertionError("nothing will ever complete the request");
            }
        }
        return future.get();
    }

    /** Lets the next thing happen; false if nothing will. */
    boolean step() {
        Timer due = nextUntil(Long.MAX_VALUE);
        if (due != null) {
            due.task().run();
        }
        return due != null;
    }

    /** Moves the clock, and runs what becomes due, one after the other. */
    void advance(Duration time) {
        long end = nanoTime() + time.toNanos();
        Timer due = nextUntil(end);
        while (due != null) {
            due.task().run();
            due = nextUntil(end);
        }
    }

    private synchronized @Nullable Timer nextUntil(long end) {
        Timer next = timers.peek();
        if (next == null || next.at() > end) {
            now = end == Long.MAX_VALUE ? now : end;
            return null;
        }
        now = Math.max(now, next.at());
        return timers.remove();
    }

    /** Runs all tasks that were cancelled, as if each had been due and waited for a lock at that moment. */
    void runCancelled() {
        List<Runnable> late;
        synchronized (this) {
            late = List.copyOf(cancelled);
            cancelled.clear();
        }
        late.forEach(Runnable::run);
    }

    /** The number of timers of the client. */
    synchronized long waiting() {
        return timers.stream().filter(Timer::ofClient).count();
    }

    @Override
    public synchronized void close() {
        closed = true;
        timers.removeIf(Timer::ofClient);
    }
}
