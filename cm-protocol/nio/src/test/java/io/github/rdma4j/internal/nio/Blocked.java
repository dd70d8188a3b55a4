// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A thread that does something that waits. */
final class Blocked<T> {
    private final FutureTask<T> task;
    private final Thread thread;

    private Blocked(Callable<T> work) {
        task = new FutureTask<>(work);
        thread = new Thread(task, "blocked");
        thread.setDaemon(true);
    }

    /** Starts the thread and returns once it waits. */
    static <T> Blocked<T> in(Callable<T> work) {
        Blocked<T> blocked = new Blocked<>(work);
        blocked.thread.start();
        Pair.awaitNative(blocked.thread);
        return blocked;
    }

    boolean isDone() {
        return task.isDone();
    }

    void interrupt() {
        thread.interrupt();
    }

    T result() throws Exception {
        return task.get();
    }

    /** What the work has thrown. */
    Throwable failure() throws InterruptedException {
        try {
            throw new AssertionError("returned " + task.get());
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        }
    }
}
