// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Guards one side of a queue. An uncontended pass costs one atomic instruction, half of what a {@code ReentrantLock} takes: its
 * release is a store with a full fence. Those who wait spin first, for a holder that posts or polls, and then sleep for
 * moments, for one that destroys the queue. Not reentrant, not fair. See ADR 32.
 */
final class QueueLock {
    private static final VarHandle HELD;
    private static final int SPINS = 100;
    private static final int YIELDS = 20;
    private static final long SLEEP_NANOS = 50_000;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(QueueLock.class, "held", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // through HELD
    private volatile boolean held;

    void lock() {
        if (!HELD.compareAndSet(this, false, true)) {
            await();
        }
    }

    void unlock() {
        HELD.setRelease(this, false);
    }

    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on the yield: on one processor it is kind to the holder
    private void await() {
        for (int attempt = 0; !isFree() || !HELD.compareAndSet(this, false, true); attempt++) {
            if (attempt < SPINS) {
                Thread.onSpinWait();
            } else if (attempt < SPINS + YIELDS || Thread.currentThread().isInterrupted()) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(this, SLEEP_NANOS);
            }
        }
    }

    /** A look that leaves the holder its cache line. */
    private boolean isFree() {
        return !(boolean) HELD.getOpaque(this);
    }
}
