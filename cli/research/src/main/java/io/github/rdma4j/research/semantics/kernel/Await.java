// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.kernel;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Waiting with a limit that is generous to a guest under emulation. */
public final class Await {
    /** Far longer than any operation that does not wait for a timer of the kernel. */
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private static final long NAP_NANOS = 1_000_000;

    private Await() {}

    /** Waits until {@code condition} holds; false when it did not within {@code limit}. */
    public static boolean holds(Duration limit, BooleanSupplier condition) {
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

    /** Work in a separate thread. */
    public static final class Running<T> {
        private final FutureTask<T> task;
        private final Thread thread;

        private Running(Callable<T> work) {
            task = new FutureTask<>(work);
            thread = new Thread(task, "helper");
            thread.setDaemon(true);
            thread.start();
        }

        public Thread thread() {
            return thread;
        }

        public boolean isDone() {
            return task.isDone();
        }

        /** Waits until the thread is inside a method of that name of this project. */
        public Running<T> untilInside(String method) {
            until(method + " entered", () -> isInside(method));
            return this;
        }

        private boolean isInside(String method) {
            return Stream.of(thread.getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals(method)
                            && frame.getClassName().startsWith("io.github.rdma4j."));
        }

        /** Returns the result, or throws the exception of the work. */
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
    }

    /** Starts {@code work} in a separate thread. */
    public static <T> Running<T> inThread(Callable<T> work) {
        return new Running<>(work);
    }
}
