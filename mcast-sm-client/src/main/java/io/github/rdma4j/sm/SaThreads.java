// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

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

    /** Runs tasks one after the other in a thread of its own; when that is over, in the caller's. */
    static final class Callbacks implements Executor, AutoCloseable {
        private final ThreadPoolExecutor pool;

        Callbacks() {
            pool = new ThreadPoolExecutor(
                    1,
                    1,
                    KEEP_ALIVE_SECONDS,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(),
                    named("rdma4j-sa-callbacks"));
            pool.allowCoreThreadTimeOut(true);
        }

        @Override
        public void execute(Runnable task) {
            try {
                pool.execute(task);
            } catch (RejectedExecutionException closed) {
                task.run();
            }
        }

        /** What was given before still runs. */
        @Override
        public void close() {
            pool.shutdown();
        }
    }
}
