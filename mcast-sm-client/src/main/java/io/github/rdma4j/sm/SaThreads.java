// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of a client: daemons, and those that are idle end. */
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

    /** One thread, which runs what it is given one after the other and ends when it is idle. */
    static ThreadPoolExecutor one(String name, BlockingQueue<Runnable> queue) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS, queue, named(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Runs tasks one after the other in a thread of its own; when that is over, or cannot be had, in the caller's. */
    static final class Callbacks implements Executor, AutoCloseable {
        private final ThreadPoolExecutor pool = one("rdma4j-sa-callbacks", new LinkedBlockingQueue<>());

        @Override
        public void execute(Runnable task) {
            try {
                pool.execute(task);
            } catch (RejectedExecutionException | OutOfMemoryError noThread) {
                task.run();
            }
        }

        /** What was given before still runs, and no longer one after the other: a task that never ends keeps none up. */
        @Override
        public void close() {
            try {
                int waiting = pool.getQueue().size();
                pool.setMaximumPoolSize(1 + waiting);
                pool.setCorePoolSize(1 + waiting);
            } finally {
                pool.shutdown();
            }
        }
    }
}
