// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.support;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for something with a limit that is generous to a guest under emulation. */
public final class Await {
    /** Far longer than anything here takes, and shorter than a test's time limit. */
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private static final long NAP_NANOS = 1_000_000;

    /** Looks at the condition before the thread starts to sleep in between: what is fast is not slowed down. */
    private static final int EAGER_LOOKS = 1000;

    private Await() {}

    /** Waits until {@code condition} holds; false when it did not within {@code limit}. */
    public static boolean holds(Duration limit, BooleanSupplier condition) {
        for (int i = 0; i < EAGER_LOOKS; i++) {
            if (condition.getAsBoolean()) {
                return true;
            }
            Thread.onSpinWait();
        }
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > limit.toNanos()
                    || Thread.currentThread().isInterrupted()) {
                return condition.getAsBoolean();
            }
            LockSupport.parkNanos(NAP_NANOS);
        }
        return true;
    }

    /** Waits until {@code condition} holds. */
    public static void until(String what, BooleanSupplier condition) {
        if (!holds(LIMIT, condition)) {
            throw new AssertionError("not within " + LIMIT + ": " + what);
        }
    }

    /** Something that runs in a thread of its own. */
    public static final class Running<T> {
        private final FutureTask<T> task;
        private final Thread thread;

        private Running(Callable<T> work) {
            task = new FutureTask<>(work);
            thread = new Thread(task, "test helper");
            thread.setDaemon(true);
            thread.start();
        }

        public Thread thread() {
            return thread;
        }

        public boolean isDone() {
            return task.isDone();
        }

        /** Waits until the thread waits for a lock or in poll(2), where it does for longer than anything takes that is awake. */
        public Running<T> untilAsleep() {
            until("asleep", () -> {
                Thread.State state = thread.getState();
                return state == Thread.State.WAITING
                        || state == Thread.State.TIMED_WAITING
                        || Stacks.isInside(thread, "poll");
            });
            return this;
        }

        /** The result; what the work threw, if it did. */
        public T result() throws Exception {
            try {
                return task.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                AssertionError hangs = new AssertionError("the other thread hangs");
                hangs.setStackTrace(thread.getStackTrace());
                throw hangs;
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Exception cause) {
                    throw cause;
                }
                throw new AssertionError("the other thread failed", e.getCause());
            }
        }

        /** What the work threw. */
        public Throwable failure() throws InterruptedException {
            try {
                return new AssertionError("no failure but " + task.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
            } catch (ExecutionException e) {
                return Objects.requireNonNull(e.getCause());
            } catch (TimeoutException e) {
                return new AssertionError("the other thread hangs", e);
            }
        }

        /** Waits for the end, whatever it is. */
        public void join() throws InterruptedException {
            thread.join(LIMIT.toMillis());
            if (thread.isAlive()) {
                throw new AssertionError("the other thread hangs");
            }
        }

        /** Waits until the thread is inside a method of that name of ours: the JDK's queues have a {@code poll} too. */
        public Running<T> untilInside(String method) {
            until(method + " entered", () -> Stacks.isInside(thread, method));
            return this;
        }
    }

    /** Starts {@code work} in a thread of its own. */
    public static <T> Running<T> inThread(Callable<T> work) {
        return new Running<>(work);
    }

    private static final class Stacks {
        private static final String OURS = "io.github.rdma4j.";

        static boolean isInside(Thread thread, String method) {
            for (StackTraceElement frame : thread.getStackTrace()) {
                if (frame.getMethodName().equals(method) && frame.getClassName().startsWith(OURS)) {
                    return true;
                }
            }
            return false;
        }
    }
}
