// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.kernel.Kernel;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** Where a {@link CmEventLoop} runs and where its callbacks do. Mutable, for one thread. */
public final class LoopOptions {
    private Kernel kernel = Kernel.running();
    private Executor loop = LoopOptions::startDaemon;
    private @Nullable Executor callbacks;
    private Thread.@Nullable UncaughtExceptionHandler uncaught;

    private static void startDaemon(Runnable task) {
        Thread thread = new Thread(task, "rdma4j-cm-loop");
        thread.setDaemon(true);
        thread.start();
    }

    /** The kernel to talk to; the running one unless set. */
    public LoopOptions kernel(Kernel value) {
        kernel = Objects.requireNonNull(value, "kernel");
        return this;
    }

    /**
     * Who makes the thread of the loop; a daemon thread unless set. A platform thread is better: the loop waits in poll(2),
     * where a virtual thread would keep its carrier.
     */
    public LoopOptions thread(ThreadFactory factory) {
        loop = task -> factory.newThread(task).start();
        return this;
    }

    /** The executor that runs the loop as one task. The task occupies a thread for as long as the loop is open. */
    public LoopOptions runOn(Executor executor) {
        loop = Objects.requireNonNull(executor, "executor");
        return this;
    }

    /**
     * The executor that runs callbacks and completes futures; the loop's thread unless set. With an executor of several
     * threads callbacks may wait, but one callback may overtake another. The loop's thread runs what the executor rejects.
     */
    public LoopOptions callbacksOn(Executor executor) {
        callbacks = Objects.requireNonNull(executor, "executor");
        return this;
    }

    /** The handler of exceptions that callbacks throw; unless set, the handler of the thread that ran the callback. */
    public LoopOptions uncaught(Thread.UncaughtExceptionHandler handler) {
        uncaught = Objects.requireNonNull(handler, "handler");
        return this;
    }

    Kernel kernel() {
        return kernel;
    }

    Executor loop() {
        return loop;
    }

    Callbacks callbacks() {
        return new Callbacks(callbacks, uncaught);
    }
}
