// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of a client: daemons that end when idle. */
final class SaThreads {
    private static final long KEEP_ALIVE_SECONDS = 5;

    private SaThreads() {}

    static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** A single thread that runs its tasks in order, and ends when idle. */
    static ThreadPoolExecutor one(ThreadFactory threads, BlockingQueue<Runnable> queue) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS, queue, threads);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Runs tasks in order on a separate thread; on the calling thread if it is closed or no thread can start. */
    static final class Worker implements Executor, AutoCloseable {
        private final ThreadFactory threads;
        private final BlockingQueue<Runnable> queue;
        private final ThreadPoolExecutor pool;

        Worker(ThreadFactory threads, BlockingQueue<Runnable> queue) {
            this.threads = threads;
            this.queue = queue;
            this.pool = one(threads, queue);
        }

        @Override
        public void execute(Runnable task) {
            try {
                pool.execute(task);
            } catch (RejectedExecutionException | OutOfMemoryError noThread) {
                runStranded();
                task.run();
            }
        }

        /**
         * Runs tasks left in the queue after a failed start. While the pool starts its only thread, other callers queue
         * their tasks; if the start fails, because the pool was closed or no thread can be created, the pool never runs
         * them.
         */
        private void runStranded() {
            Runnable stranded = queue.poll();
            while (stranded != null) {
                runAlone(stranded);
                stranded = queue.poll();
            }
        }

        /** Runs the task on a separate thread, because it may block for ever. */
        private void runAlone(Runnable task) {
            try {
                threads.newThread(task).start();
            } catch (OutOfMemoryError noThread) {
                task.run();
            }
        }

        /** Runs the queued tasks in parallel, so that a task that never ends delays no other task. */
        @Override
        public void close() {
            try {
                int waiting = queue.size();
                pool.setMaximumPoolSize(1 + waiting);
                pool.setCorePoolSize(1 + waiting);
            } finally {
                pool.shutdown();
            }
        }
    }
}
