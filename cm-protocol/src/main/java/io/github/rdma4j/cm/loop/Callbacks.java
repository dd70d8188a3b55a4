// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.internal.memory.Suppression;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Runs the user's code so that nothing it throws gets any further than to the handler of such things. */
final class Callbacks {
    private final @Nullable Executor executor;
    private final Thread.@Nullable UncaughtExceptionHandler uncaught;

    Callbacks(@Nullable Executor executor, Thread.@Nullable UncaughtExceptionHandler uncaught) {
        this.executor = executor;
        this.uncaught = uncaught;
    }

    @FunctionalInterface
    interface Callback {
        void call() throws Exception;
    }

    /** On the executor if there is one and it takes the callback, or else here and now. */
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
        } catch (RuntimeException | Error notTaken) { // or taken all the same, as by a pool that cannot start a thread
            once.run();
        }
    }

    /** Here and now, for what is the loop's own. */
    void attempt(Callback callback) {
        try {
            callback.call();
        } catch (Throwable thrown) {
            report(thrown);
        }
    }

    /** The same for a task. Creates no object, so that a task that was taken off a queue is not lost for lack of memory. */
    void runTask(Runnable task) {
        try {
            task.run();
        } catch (Throwable thrown) {
            report(thrown);
        }
    }

    /** Tells the handler; what the handler throws goes nowhere else, and a lack of memory for the report ends nothing. */
    void report(Throwable thrown) {
        Thread thread = Thread.currentThread();
        try {
            (uncaught != null ? uncaught : thread.getUncaughtExceptionHandler()).uncaughtException(thread, thrown);
        } catch (Throwable alsoThrown) { // a handler in another language throws checked exceptions too
            Suppression.add(thrown, alsoThrown);
        }
    }
}
