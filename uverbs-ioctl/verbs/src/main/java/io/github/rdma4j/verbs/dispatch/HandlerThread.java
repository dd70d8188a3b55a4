// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the batches of a dispatcher one after the other, on the calling thread or on an executor whose completion it
 * awaits.
 */
final class HandlerThread {
    private static final long LOOK_MILLIS = 100;

    private final @Nullable Executor executor;
    private final Runnable work;

    /** Held while handlers run. */
    private final ReentrantLock running = new ReentrantLock();

    /** For the dispatcher's thread, which must work without allocating. */
    private final HandOver own = new HandOver();

    HandlerThread(@Nullable Executor executor, Runnable work) {
        this.executor = executor;
        this.work = work;
    }

    /** Returns true if the caller is a handler. */
    boolean isCurrent() {
        return running.isHeldByCurrentThread();
    }

    /**
     * Runs the work and waits for its end. While {@code impatient} returns true, work that the executor has not started
     * runs on the calling thread. For the dispatcher's thread.
     */
    void run(BooleanSupplier impatient) {
        run(own, impatient);
    }

    /** Runs the work at once; for any thread that is not running a handler. */
    void runNow() {
        run(new HandOver(), () -> true);
    }

    private void run(HandOver handOver, BooleanSupplier impatient) {
        if (executor == null) {
            runHere();
            return;
        }
        handOver.offered.set(true);
        try {
            executor.execute(handOver);
        } catch (RuntimeException | Error rejected) { // or accepted by a pool that failed to start a thread
            handOver.run();
        }
        handOver.await(impatient);
    }

    private void runHere() {
        running.lock();
        try {
            work.run();
        } finally {
            running.unlock();
        }
    }

    /** Returns true if the executor is shut down, and so may have dropped an accepted task. */
    private boolean isShutDown() {
        return executor instanceof ExecutorService pool && pool.isShutdown();
    }

    /**
     * Work that runs once for each offer, on the thread that takes it first. If the executor runs a task late, the task
     * takes the next offer or does nothing.
     */
    private final class HandOver implements Runnable {
        private final AtomicBoolean offered = new AtomicBoolean();
        private final Semaphore done = new Semaphore(0);

        @Override
        public void run() {
            if (offered.getAndSet(false)) {
                try {
                    runHere();
                } finally {
                    done.release();
                }
            }
        }

        /**
         * Waits for the end of the work. An interrupt does not end the wait, so that handlers never overlap; the
         * interrupt status is restored.
         */
        void await(BooleanSupplier impatient) {
            boolean interrupted = false;
            boolean over = false;
            while (!over) {
                try {
                    over = done.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                if (!over && (impatient.getAsBoolean() || isShutDown())) {
                    run();
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
