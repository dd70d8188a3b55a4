// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One caller starts the only thread of the callbacks while a second caller leaves a task in the queue. */
class SaThreadsTest {
    private static final long PATIENCE_SECONDS = 60;

    private final CountDownLatch first = new CountDownLatch(1);
    private final CountDownLatch second = new CountDownLatch(1);
    private final AtomicReference<Runnable> whenTheThreadStarts = new AtomicReference<>();
    private final AtomicReference<Runnable> whenTheTasksAreCounted = new AtomicReference<>();
    private final SaThreads.Worker callbacks = new SaThreads.Worker(
            task -> {
                runOnce(whenTheThreadStarts);
                return SaThreads.named("rdma4j-test").newThread(task);
            },
            new LinkedBlockingQueue<>() {
                private static final long serialVersionUID = 1L;

                @Override
                public int size() {
                    int size = super.size();
                    runOnce(whenTheTasksAreCounted);
                    return size;
                }
            });

    private static void runOnce(AtomicReference<Runnable> hook) {
        Runnable task = hook.getAndSet(null);
        if (task != null) {
            task.run();
        }
    }

    private void executeTheSecond() {
        CompletableFuture.runAsync(() -> callbacks.execute(second::countDown)).join();
    }

    @AfterEach
    void close() {
        callbacks.close();
    }

    private void bothRun() throws InterruptedException {
        assertThat(first.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(second.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    /** A third caller closes the callbacks, and has counted the tasks in the queue before the second task got there. */
    @Test
    void aTaskQueuedDuringTheCloseRuns() throws Exception {
        whenTheThreadStarts.set(callbacks::close);
        whenTheTasksAreCounted.set(this::executeTheSecond);
        callbacks.execute(first::countDown);
        bothRun();
    }

    /** The thread of the first caller cannot be had. */
    @Test
    void aTaskQueuedForAThreadThatCannotBeHadRuns() throws Exception {
        whenTheThreadStarts.set(() -> {
            executeTheSecond();
            throw new OutOfMemoryError("unable to create native thread");
        });
        callbacks.execute(first::countDown);
        bothRun();
    }
}
