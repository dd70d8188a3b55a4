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
 * Closes what a server has done with. The kernel may hold on to an id for a minute and more, if the peer does not answer
 * the rejection; those who wait for the server must not wait for that.
 */
public final class BackgroundCloser implements AutoCloseable {
    private static final int THREADS = 4;
    private static final int LIMIT_SECONDS = 5;

    private final Consumer<String> say;
    private final ExecutorService threads;

    /** What is to be closed. */
    @FunctionalInterface
    public interface Closing {
        void run() throws RdmaException;
    }

    /** Starts its threads, so that a lack of threads later does no harm; {@code say} is told what cannot be closed. */
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

    /** Closes an id some time soon. */
    public void close(CmId id) {
        close(id.toString(), id::close);
    }

    /** Closes something that is called {@code name} some time soon. */
    public void close(String name, Closing closing) {
        try {
            threads.execute(() -> attempt(name, closing));
        } catch (RejectedExecutionException over) {
            // The server ends, and closes the channel with all that is on it.
        }
    }

    private void attempt(String name, Closing closing) {
        try {
            closing.run();
        } catch (RdmaException | RuntimeException | OutOfMemoryError e) {
            say.accept("closing " + name + ": " + Trouble.text(e));
        }
    }

    /** Closes what is left, as far as that does not take longer than a few seconds. */
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
