// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.kernel.Kernel;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Where a {@link CmEventLoop} runs, and where its callbacks run. Immutable.
 *
 * <pre>{@code
 * LoopOptions.builder().callbacksOn(executor).build()
 * }</pre>
 */
public final class LoopOptions {
    /** The running kernel, a daemon thread for the loop, and callbacks on the thread of the loop. */
    public static final LoopOptions DEFAULT = builder().build();

    private final @Nullable Kernel kernel;
    private final Executor loop;
    private final @Nullable Executor callbacks;
    private final Thread.@Nullable UncaughtExceptionHandler uncaught;

    private LoopOptions(Builder builder) {
        kernel = builder.kernel;
        loop = builder.loop;
        callbacks = builder.callbacks;
        uncaught = builder.uncaught;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts with these options. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    Kernel kernel() {
        return kernel != null ? kernel : Kernel.running();
    }

    Executor loop() {
        return loop;
    }

    Callbacks callbacks() {
        return new Callbacks(callbacks, uncaught);
    }

    /** Collects options. Mutable; for one thread. */
    public static final class Builder {
        private @Nullable Kernel kernel;
        private Executor loop = Builder::startDaemon;
        private @Nullable Executor callbacks;
        private Thread.@Nullable UncaughtExceptionHandler uncaught;

        private Builder() {}

        private Builder(LoopOptions options) {
            kernel = options.kernel;
            loop = options.loop;
            callbacks = options.callbacks;
            uncaught = options.uncaught;
        }

        private static void startDaemon(Runnable task) {
            Thread thread = new Thread(task, "rdma4j-cm-loop");
            thread.setDaemon(true);
            thread.start();
        }

        /** The kernel to talk to; the running kernel unless set. */
        public Builder kernel(Kernel value) {
            kernel = Objects.requireNonNull(value, "kernel");
            return this;
        }

        /**
         * The factory of the loop's thread; a daemon thread unless set. A platform thread is better: the loop waits in
         * poll(2), where a virtual thread would keep its carrier.
         */
        public Builder thread(ThreadFactory factory) {
            Objects.requireNonNull(factory, "factory");
            loop = task -> factory.newThread(task).start();
            return this;
        }

        /** The executor that runs the loop as one task. The task occupies a thread for as long as the loop is open. */
        public Builder runOn(Executor executor) {
            loop = Objects.requireNonNull(executor, "executor");
            return this;
        }

        /**
         * The executor that runs callbacks and completes futures; the loop's thread unless set. With an executor of several
         * threads callbacks may wait, but one callback may overtake another. The loop's thread runs what the executor rejects.
         */
        public Builder callbacksOn(Executor executor) {
            callbacks = Objects.requireNonNull(executor, "executor");
            return this;
        }

        /** The handler of exceptions that callbacks throw; unless set, the handler of the thread that ran the callback. */
        public Builder uncaught(Thread.UncaughtExceptionHandler handler) {
            uncaught = Objects.requireNonNull(handler, "handler");
            return this;
        }

        public LoopOptions build() {
            return new LoopOptions(this);
        }
    }
}
