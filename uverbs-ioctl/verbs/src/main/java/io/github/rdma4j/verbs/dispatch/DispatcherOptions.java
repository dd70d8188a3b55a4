// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.internal.verbs.Checks;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Options for the number of completions, the polling time and the handler thread of a {@link CompletionDispatcher}.
 * Immutable.
 *
 * <pre>{@code
 * DispatcherOptions.builder().completions(4096).spin(Duration.ofNanos(20_000)).build()
 * }</pre>
 */
public final class DispatcherOptions {
    /** 1024 completions, 50 microseconds of polling before a sleep, and handlers on the dispatcher's daemon thread. */
    public static final DispatcherOptions DEFAULT = builder().build();

    private final Builder values;

    private DispatcherOptions(Builder values) {
        this.values = values;
    }

    /** Returns a builder that starts with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns a builder that starts with these options. */
    public Builder toBuilder() {
        return new Builder(values);
    }

    /** Returns the minimum number of completions that the dispatcher's completion queue holds. */
    public int completions() {
        return values.completions;
    }

    /** Returns the completion vector; see {@link DeviceContext#completionVectors()}. */
    public int vector() {
        return values.vector;
    }

    /** Returns the longest time that the dispatcher polls an empty queue before its thread sleeps. */
    public Duration spin() {
        return values.spin;
    }

    Executor thread() {
        return values.thread;
    }

    /** Returns the executor of the handlers, or null for the dispatcher's thread. */
    @Nullable
    Executor handlers() {
        return values.handlers;
    }

    /** Returns true if the calling thread is known to be the only thread of the handlers' executor. */
    boolean isThreadOfHandlers() {
        return values.onThreadOfHandlers.getAsBoolean();
    }

    void report(Throwable thrown) {
        Thread current = Thread.currentThread();
        Thread.@Nullable UncaughtExceptionHandler uncaught = values.uncaught;
        try {
            (uncaught != null ? uncaught : current.getUncaughtExceptionHandler()).uncaughtException(current, thrown);
        } catch (Throwable alsoThrown) { // including checked exceptions of handlers in other languages
            FirstFailure.suppress(thrown, alsoThrown);
        }
    }

    /** A builder of options. Not safe for use by several threads. */
    public static final class Builder {
        private int completions = 1024;
        private int vector;
        private Duration spin = Duration.ofNanos(50_000);
        private Executor thread = Builder::startDaemon;
        private @Nullable Executor handlers;
        private BooleanSupplier onThreadOfHandlers = () -> false;
        private Thread.@Nullable UncaughtExceptionHandler uncaught;

        private Builder() {}

        private Builder(Builder other) {
            completions = other.completions;
            vector = other.vector;
            spin = other.spin;
            thread = other.thread;
            handlers = other.handlers;
            onThreadOfHandlers = other.onThreadOfHandlers;
            uncaught = other.uncaught;
        }

        private static void startDaemon(Runnable task) {
            Thread daemon = new Thread(task, "rdma4j-completions");
            daemon.setDaemon(true);
            daemon.start();
        }

        /**
         * Sets the number of work requests that may be in flight on all attached queues together, 1 or more. The
         * default is 1024. The completion queue holds at least as many completions.
         *
         * @throws IllegalArgumentException if {@code number} is less than 1
         */
        public Builder completions(int number) {
            if (number < 1) {
                throw new IllegalArgumentException("completions must be 1 or more, not " + number);
            }
            completions = number;
            return this;
        }

        /** Sets the completion vector, 0 or more. The default is 0. */
        public Builder vector(int number) {
            vector = Checks.notNegative(number, "vector");
            return this;
        }

        /**
         * Sets the longest time to poll an empty queue before the thread sleeps. The default is 50 microseconds. With
         * {@link Duration#ZERO} the thread sleeps at once; a duration of hours keeps it polling and a processor busy.
         * The dispatcher reduces the time while polling finds nothing.
         *
         * @throws IllegalArgumentException if {@code limit} is negative
         */
        public Builder spin(Duration limit) {
            if (limit.isNegative()) {
                throw new IllegalArgumentException("spin must be 0 or more, not " + limit);
            }
            spin = limit;
            return this;
        }

        /**
         * Sets the factory of the dispatcher's thread. The default creates a daemon thread. Use platform threads,
         * because the thread waits in poll(2).
         */
        public Builder thread(ThreadFactory factory) {
            Objects.requireNonNull(factory, "factory");
            thread = task -> factory.newThread(task).start();
            return this;
        }

        /**
         * Sets the executor that runs handlers and completes futures. The default is the dispatcher's thread. For a
         * single-threaded executor, such as an event loop, use {@link #handlersOn(Executor, BooleanSupplier)}.
         *
         * <p>The dispatcher submits one batch of completions at a time and polls again after the batch, so handlers run
         * one at a time even on a thread pool. The dispatcher's thread runs batches that the executor rejects, and
         * batches that a shut-down executor service has not started.
         *
         * @param executor an executor that runs or rejects each task. If an executor drops a task, the dispatcher stops
         *     until it is closed
         * @throws IllegalArgumentException if {@code executor} is a thread pool whose policy discards tasks
         */
        public Builder handlersOn(Executor executor) {
            if (executor instanceof ThreadPoolExecutor pool && discards(pool.getRejectedExecutionHandler())) {
                throw new IllegalArgumentException(
                        executor + " discards tasks, so the dispatcher could wait for its handlers for"
                                + " ever. Set another RejectedExecutionHandler, such as AbortPolicy");
            }
            handlers = Objects.requireNonNull(executor, "executor");
            onThreadOfHandlers = () -> false;
            return this;
        }

        /**
         * Sets the executor as {@link #handlersOn(Executor)} does, for an event loop whose thread also runs other
         * callbacks. A blocking {@link AsyncQueuePair#send(SendWorkRequest, WorkCompletion.Handler, Duration)} in such
         * a callback would deadlock; it throws {@link IllegalStateException} as in a handler.
         *
         * <pre>{@code
         * DispatcherOptions.builder().handlersOn(cmLoop, cmLoop::isLoopThread)
         * DispatcherOptions.builder().handlersOn(nettyLoop, nettyLoop::inEventLoop)
         * }</pre>
         *
         * @param isItsThread a function that returns true if the calling thread is the executor's only thread
         */
        public Builder handlersOn(Executor executor, BooleanSupplier isItsThread) {
            Objects.requireNonNull(isItsThread, "isItsThread");
            handlersOn(executor);
            onThreadOfHandlers = isItsThread;
            return this;
        }

        private static boolean discards(RejectedExecutionHandler policy) {
            return policy instanceof ThreadPoolExecutor.DiscardPolicy
                    || policy instanceof ThreadPoolExecutor.DiscardOldestPolicy;
        }

        /**
         * Sets the handler of exceptions that completion handlers throw. The default is the uncaught exception handler
         * of the thread that ran the completion handler.
         */
        public Builder uncaught(Thread.UncaughtExceptionHandler handler) {
            uncaught = Objects.requireNonNull(handler, "handler");
            return this;
        }

        /** Returns the options set so far. */
        public DispatcherOptions build() {
            return new DispatcherOptions(new Builder(this));
        }
    }
}
