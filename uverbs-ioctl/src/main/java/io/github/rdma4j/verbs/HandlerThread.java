// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Runs the handlers of a dispatcher one batch after the other: here, or on an executor whose end it waits for. */
final class HandlerThread {
    private static final long LOOK_MILLIS = 100;

    private final @Nullable Executor executor;

    /** Held while handlers run. */
    private final ReentrantLock running = new ReentrantLock();

    HandlerThread(@Nullable Executor executor) {
        this.executor = executor;
    }

    /** Whether the caller is a handler. */
    boolean isCurrent() {
        return running.isHeldByCurrentThread();
    }

    /**
     * Runs {@code work}, and returns when it is done. While {@code impatient} holds, work that the executor has not begun is
     * done here.
     */
    void run(Runnable work, BooleanSupplier impatient) {
        if (executor == null || isCurrent()) {
            runHere(work);
            return;
        }
        HandOver handOver = new HandOver(work);
        try {
            executor.execute(handOver);
        } catch (RuntimeException | Error notTaken) { // or taken all the same, as by a pool that cannot start a thread
            handOver.run();
        }
        handOver.await(impatient);
    }

    private void runHere(Runnable work) {
        running.lock();
        try {
            work.run();
        } finally {
            running.unlock();
        }
    }

    /** Work that is done once, by whoever takes it first. */
    private final class HandOver implements Runnable {
        private final AtomicReference<@Nullable Runnable> work;
        private final Semaphore done = new Semaphore(0);

        HandOver(Runnable work) {
            this.work = new AtomicReference<>(work);
        }

        @Override
        public void run() {
            Runnable mine = work.getAndSet(null);
            if (mine != null) {
                try {
                    runHere(mine);
                } finally {
                    done.release();
                }
            }
        }

        /** Handlers do not overlap, so an interrupt does not end the wait; it is kept. */
        void await(BooleanSupplier impatient) {
            boolean interrupted = false;
            boolean over = false;
            while (!over) {
                try {
                    over = done.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                if (!over && impatient.getAsBoolean()) {
                    run();
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
