// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.kernel.Kernel;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link CmEventLoop}: the loop's thread and the executor of its callbacks. Immutable.
 *
 * <pre>{@code
 * LoopOptions.builder().callbacksOn(executor).build()
 * }</pre>
 */
public final class LoopOptions {
    /** The running kernel, a daemon thread for the loop, and callbacks on the loop's thread. */
    public static final LoopOptions DEFAULT = builder().build();

    private final Builder values;

    private LoopOptions(Builder values) {
        this.values = values;
    }

    /** Returns a builder in which every option has its default. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns a builder that starts with these options. */
    public Builder toBuilder() {
        return new Builder(values);
    }

    Kernel kernel() {
        return values.kernel != null ? values.kernel : Kernel.running();
    }

    Executor loop() {
        return values.loop;
    }

    Callbacks callbacks() {
        return new Callbacks(values.callbacks, values.uncaught);
    }

    /** Builds options. Mutable; for one thread. */
    public static final class Builder {
        private @Nullable Kernel kernel;
        private Executor loop = Builder::startDaemon;
        private @Nullable Executor callbacks;
        private Thread.@Nullable UncaughtExceptionHandler uncaught;

        private Builder() {}

        private Builder(Builder other) {
            kernel = other.kernel;
            loop = other.loop;
            callbacks = other.callbacks;
            uncaught = other.uncaught;
        }

        private static void startDaemon(Runnable task) {
            Thread thread = new Thread(task, "rdma4j-cm-loop");
            thread.setDaemon(true);
            thread.start();
        }

        /** Sets the kernel; the running kernel by default. */
        public Builder kernel(Kernel value) {
            kernel = Objects.requireNonNull(value, "kernel");
            return this;
        }

        /**
         * Sets the factory of the loop's thread, which creates a daemon thread by default. Prefer a platform thread:
         * the loop waits in poll(2), which would pin the carrier of a virtual thread.
         */
        public Builder thread(ThreadFactory factory) {
            Objects.requireNonNull(factory, "factory");
            loop = task -> factory.newThread(task).start();
            return this;
        }

        /** Sets an executor that runs the loop as one task, which occupies a thread until the loop is closed. */
        public Builder runOn(Executor executor) {
            loop = Objects.requireNonNull(executor, "executor");
            return this;
        }

        /**
         * Sets the executor that runs callbacks and completes futures; by default the loop's thread. On an executor
         * with several threads, callbacks may block, and they may run out of order. The loop's thread runs the
         * callbacks that the executor rejects.
         */
        public Builder callbacksOn(Executor executor) {
            callbacks = Objects.requireNonNull(executor, "executor");
            return this;
        }

        /**
         * Sets the handler for exceptions from callbacks; by default the uncaught exception handler of the thread that
         * ran the callback.
         */
        public Builder uncaught(Thread.UncaughtExceptionHandler handler) {
            uncaught = Objects.requireNonNull(handler, "handler");
            return this;
        }

        /** Returns the options. */
        public LoopOptions build() {
            return new LoopOptions(new Builder(this));
        }
    }
}
