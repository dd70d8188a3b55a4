// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * The lock of one side of a queue. Locking and unlocking without contention costs one atomic instruction, half the cost
 * of a {@code ReentrantLock}, whose release is a store with a full fence. Waiting threads first spin, in case the
 * holder posts or polls, then sleep briefly, in case the holder destroys the queue. Not reentrant, not fair. See ADR
 * 32.
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

    @SuppressWarnings("UnusedVariable") // accessed through HELD
    private volatile boolean held;

    void lock() {
        if (!HELD.compareAndSet(this, false, true)) {
            await();
        }
    }

    void unlock() {
        HELD.setRelease(this, false);
    }

    @SuppressWarnings("ThreadPriorityCheck") // only a hint: on one processor it lets the holder run
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

    /** Reads the flag without taking the cache line from the holder. */
    private boolean isFree() {
        return !(boolean) HELD.getOpaque(this);
    }
}
