// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Guards what the verbs objects of one context know of each other. It is held for moments, and never across a call to the
 * kernel.
 */
final class Family {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Takes {@code step} as one with respect to all others, and returns what it returns. */
    <T> T ask(Supplier<T> step) {
        lock.lock();
        try {
            return step.get();
        } finally {
            lock.unlock();
        }
    }

    /** Takes {@code step} as one with respect to all others, and lets those look again who wait. */
    void change(Runnable step) {
        lock.lock();
        try {
            step.run();
        } finally {
            changed.signalAll();
            lock.unlock();
        }
    }

    /** Waits until {@code condition} holds; other threads go on meanwhile. */
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
