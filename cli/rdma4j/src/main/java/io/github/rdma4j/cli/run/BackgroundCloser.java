// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.kernel.RdmaException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Closes connections of a server in the background. If the peer does not answer a rejection, the kernel may take more
 * than a minute to close an id, for which the other clients of the server must not wait.
 */
public final class BackgroundCloser implements AutoCloseable {
    private static final int THREADS = 4;
    private static final int LIMIT_SECONDS = 5;

    private final Consumer<String> say;
    private final ExecutorService threads;

    /** An action that closes a resource. */
    @FunctionalInterface
    public interface Closing {
        void run() throws RdmaException;
    }

    /**
     * Starts all threads now, so that a later lack of threads is harmless; {@code say} receives a line for each
     * failure.
     */
    public BackgroundCloser(Consumer<String> say) {
        this.say = say;
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                THREADS, THREADS, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), BackgroundCloser::daemon);
        pool.prestartAllCoreThreads();
        threads = pool;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "closing");
        thread.setDaemon(true);
        return thread;
    }

    public void close(CmId id) {
        close(id, id::close);
    }

    /** Runs {@code closing} soon; a failure is reported with the text of {@code what}. */
    public void close(Object what, Closing closing) {
        try {
            threads.execute(() -> attempt(what, closing));
        } catch (RejectedExecutionException over) {
            // the server ends, and closes the channel with all its ids
        }
    }

    private void attempt(Object what, Closing closing) {
        try {
            closing.run();
        } catch (RdmaException | RuntimeException | OutOfMemoryError e) {
            say.accept("closing " + what + ": " + Failures.text(e));
        }
    }

    /** Waits up to 5 s for the connections that are still open. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            threads.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
