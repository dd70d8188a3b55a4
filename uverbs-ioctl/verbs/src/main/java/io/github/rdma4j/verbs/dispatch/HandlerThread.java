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

/** Does the work of a dispatcher, one batch after the other: here, or on an executor whose end it waits for. */
final class HandlerThread {
    private static final long LOOK_MILLIS = 100;

    private final @Nullable Executor executor;
    private final Runnable work;

    /** Held while handlers run. */
    private final ReentrantLock running = new ReentrantLock();

    /** For the dispatcher's thread, which must get by without memory. */
    private final HandOver own = new HandOver();

    HandlerThread(@Nullable Executor executor, Runnable work) {
        this.executor = executor;
        this.work = work;
    }

    /** Whether the caller is a handler. */
    boolean isCurrent() {
        return running.isHeldByCurrentThread();
    }

    /**
     * Has the work done, and returns when it is. While {@code impatient} holds, work that the executor has not begun is done
     * here. For the dispatcher's thread.
     */
    void run(BooleanSupplier impatient) {
        run(own, impatient);
    }

    /** The same, impatiently, for any thread that is no handler. */
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
        } catch (RuntimeException | Error notTaken) { // or taken all the same, as by a pool that cannot start a thread
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

    /** An executor that was shut down may have dropped what it had accepted. */
    private boolean isShutDown() {
        return executor instanceof ExecutorService pool && pool.isShutdown();
    }

    /**
     * Work that is done once for each offer, by whoever takes it first. An executor that comes late to an offer takes the next,
     * or none.
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
