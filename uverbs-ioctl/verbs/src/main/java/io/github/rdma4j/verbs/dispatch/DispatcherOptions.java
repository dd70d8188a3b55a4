// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import io.github.rdma4j.internal.memory.Suppression;
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
 * How many completions a {@link CompletionDispatcher} holds, how it waits, and where its handlers run. Immutable.
 *
 * <pre>{@code
 * DispatcherOptions.builder().completions(4096).spin(Duration.ofNanos(20_000)).build()
 * }</pre>
 */
public final class DispatcherOptions {
    /** 1024 completions, 50 microseconds of polling before a sleep, and handlers on a daemon thread of the dispatcher. */
    public static final DispatcherOptions DEFAULT = builder().build();

    private final int completions;
    private final int vector;
    private final Duration spin;
    private final Executor thread;
    private final @Nullable Executor handlers;
    private final BooleanSupplier onThreadOfHandlers;
    private final Thread.@Nullable UncaughtExceptionHandler uncaught;

    private DispatcherOptions(Builder builder) {
        completions = builder.completions;
        vector = builder.vector;
        spin = builder.spin;
        thread = builder.thread;
        handlers = builder.handlers;
        onThreadOfHandlers = builder.onThreadOfHandlers;
        uncaught = builder.uncaught;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts with these options. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** The least number of completions that the dispatcher's completion queue holds. */
    public int completions() {
        return completions;
    }

    /** The completion vector; see {@link DeviceContext#completionVectors()}. */
    public int vector() {
        return vector;
    }

    /** How long the dispatcher polls an empty queue, at most, before its thread sleeps. */
    public Duration spin() {
        return spin;
    }

    Executor thread() {
        return thread;
    }

    /** Null for the dispatcher's own thread. */
    @Nullable
    Executor handlers() {
        return handlers;
    }

    /** Whether the caller is the one thread of the executor of the handlers, as far as that is known. */
    boolean isThreadOfHandlers() {
        return onThreadOfHandlers.getAsBoolean();
    }

    void report(Throwable thrown) {
        Thread current = Thread.currentThread();
        try {
            (uncaught != null ? uncaught : current.getUncaughtExceptionHandler()).uncaughtException(current, thrown);
        } catch (Throwable alsoThrown) { // checked exceptions as well, of a handler in another language
            Suppression.add(thrown, alsoThrown);
        }
    }

    /** Collects options. Mutable; for one thread. */
    public static final class Builder {
        private int completions = 1024;
        private int vector;
        private Duration spin = Duration.ofNanos(50_000);
        private Executor thread = Builder::startDaemon;
        private @Nullable Executor handlers;
        private BooleanSupplier onThreadOfHandlers = () -> false;
        private Thread.@Nullable UncaughtExceptionHandler uncaught;

        private Builder() {}

        private Builder(DispatcherOptions options) {
            completions = options.completions;
            vector = options.vector;
            spin = options.spin;
            thread = options.thread;
            handlers = options.handlers;
            onThreadOfHandlers = options.onThreadOfHandlers;
            uncaught = options.uncaught;
        }

        private static void startDaemon(Runnable task) {
            Thread daemon = new Thread(task, "rdma4j-completions");
            daemon.setDaemon(true);
            daemon.start();
        }

        /**
         * The number of work requests that may be in flight on all attached queues together, 1 or more; 1024 unless set. The
         * completion queue holds as many completions.
         */
        public Builder completions(int number) {
            if (number < 1) {
                throw new IllegalArgumentException("completions must be 1 or more, not " + number);
            }
            completions = number;
            return this;
        }

        /** The completion vector, 0 or more; 0 unless set. */
        public Builder vector(int number) {
            vector = Checks.notNegative(number, "vector");
            return this;
        }

        /**
         * How long to poll an empty queue, at most, before the thread sleeps; 50 microseconds unless set. {@link Duration#ZERO}
         * sleeps at once, and a time of hours never sleeps and keeps a processor busy. The dispatcher polls for less time while
         * polling finds nothing.
         */
        public Builder spin(Duration limit) {
            if (limit.isNegative()) {
                throw new IllegalArgumentException("spin must be 0 or more, not " + limit);
            }
            spin = limit;
            return this;
        }

        /** The factory of the dispatcher's thread; a daemon thread unless set. Use platform threads: the thread waits in poll(2). */
        public Builder thread(ThreadFactory factory) {
            Objects.requireNonNull(factory, "factory");
            thread = task -> factory.newThread(task).start();
            return this;
        }

        /**
         * The executor that runs handlers and completes futures; the dispatcher's thread unless set. For an executor of one
         * thread, an event loop among them, use {@link #handlersOn(Executor, BooleanSupplier)}. The
         * dispatcher hands over one batch of completions at a time, and polls again when the batch is done, so handlers run one
         * at a time even on a pool of threads. The dispatcher's thread runs what the executor rejects, and what an executor
         * service that was shut down has not begun.
         *
         * @param executor runs or rejects each task: an executor that drops a task stops the dispatcher until it is closed
         * @throws IllegalArgumentException for a thread pool with a policy that discards tasks
         */
        public Builder handlersOn(Executor executor) {
            if (executor instanceof ThreadPoolExecutor pool && discards(pool.getRejectedExecutionHandler())) {
                throw new IllegalArgumentException(
                        executor + " discards tasks: the dispatcher would wait for its handlers for"
                                + " ever. Give the pool another RejectedExecutionHandler, such as AbortPolicy");
            }
            handlers = Objects.requireNonNull(executor, "executor");
            onThreadOfHandlers = () -> false;
            return this;
        }

        /**
         * As {@link #handlersOn(Executor)}, for an event loop: handlers then run beside the loop's own callbacks. A blocking {@link
         * AsyncQueuePair#send(SendWorkRequest, WorkCompletion.Handler, Duration)} in such a callback would wait for
         * itself, and is refused as in a handler.
         *
         * <pre>{@code
         * DispatcherOptions.builder().handlersOn(cmLoop, cmLoop::isLoopThread)
         * DispatcherOptions.builder().handlersOn(nettyLoop, nettyLoop::inEventLoop)
         * }</pre>
         *
         * @param isItsThread tells whether the caller is the executor's only thread
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

        /** The handler of exceptions that handlers throw; unless set, the handler of the thread that ran the handler. */
        public Builder uncaught(Thread.UncaughtExceptionHandler handler) {
            uncaught = Objects.requireNonNull(handler, "handler");
            return this;
        }

        public DispatcherOptions build() {
            return new DispatcherOptions(this);
        }
    }
}
