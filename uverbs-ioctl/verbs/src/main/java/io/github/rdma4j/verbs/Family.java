// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Guards the relations between the verbs objects of one context. It is held briefly, and never during a kernel call.
 */
final class Family {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Runs {@code step} atomically with respect to all other steps, and returns its result. */
    <T> T ask(Supplier<T> step) {
        lock.lock();
        try {
            return step.get();
        } finally {
            lock.unlock();
        }
    }

    /** Runs {@code step} atomically with respect to all other steps, and wakes the waiting threads. */
    void change(Runnable step) {
        lock.lock();
        try {
            step.run();
        } finally {
            changed.signalAll();
            lock.unlock();
        }
    }

    /** Waits until {@code condition} holds. Other threads may run steps during the wait. */
    void await(BooleanSupplier condition) {
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }
}
