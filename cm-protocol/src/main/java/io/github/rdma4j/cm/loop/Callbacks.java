// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Runs user code and reports its exceptions to the handler of uncaught exceptions. */
record Callbacks(@Nullable Executor executor, Thread.@Nullable UncaughtExceptionHandler uncaught) {
    @FunctionalInterface
    interface Callback {
        void call() throws Exception;
    }

    /**
     * Runs the callback on the executor, or on the current thread if there is no executor or the executor rejects it.
     */
    void run(Callback callback) {
        if (executor == null) {
            attempt(callback);
            return;
        }
        AtomicBoolean taken = new AtomicBoolean();
        Runnable once = () -> {
            if (taken.compareAndSet(false, true)) {
                attempt(callback);
            }
        };
        try {
            executor.execute(once);
        } catch (RuntimeException | Error notTaken) { // or queued, by a pool without a thread
            once.run();
        }
    }

    /** Runs an internal callback on the current thread. */
    void attempt(Callback callback) {
        try {
            callback.call();
        } catch (Throwable thrown) {
            report(thrown);
        }
    }

    /** Runs a task on the current thread. Allocates no memory. */
    void runTask(Runnable task) {
        try {
            task.run();
        } catch (Throwable thrown) {
            report(thrown);
        }
    }

    /** Reports an exception to the handler. Exceptions that the handler throws are suppressed. */
    void report(Throwable thrown) {
        keepInterrupt(thrown);
        Thread thread = Thread.currentThread();
        try {
            (uncaught != null ? uncaught : thread.getUncaughtExceptionHandler()).uncaughtException(thread, thrown);
        } catch (Throwable alsoThrown) { // including checked exceptions of handlers in other languages
            FirstFailure.suppress(thrown, alsoThrown);
        }
    }

    /** Closes a resource and reports a failure, for callers that cannot throw it. Allocates no memory. */
    void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Throwable e) {
            report(e);
        }
    }

    /** Closes all resources in order, then throws the first failure with the others suppressed. */
    static void closeAll(List<? extends AutoCloseable> resources) throws RdmaException {
        FirstFailure failure = new FirstFailure();
        for (AutoCloseable resource : resources) {
            try {
                resource.close();
            } catch (Throwable e) { // some resources belong to the user
                keepInterrupt(e);
                failure.add(e);
            }
        }
        failure.throwIfAny();
    }

    /** Restores the interrupt status if user code has turned the interrupt into an exception. */
    static void keepInterrupt(Throwable thrown) {
        if (thrown instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }
}
