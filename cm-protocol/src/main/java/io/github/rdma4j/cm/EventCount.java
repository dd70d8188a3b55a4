// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.Deadline;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many events of an id were retrieved and how many of them acknowledged. The kernel counts the former too, modulo
 * 2^32, and tells when the id migrates.
 */
final class EventCount {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int retrieved;
    private int acknowledged;

    void countRetrieved() {
        lock.lock();
        try {
            retrieved++;
        } finally {
            lock.unlock();
        }
    }

    void countAcknowledged() {
        lock.lock();
        try {
            acknowledged++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** An event that no user gets to see. */
    void countSwallowed() {
        countRetrieved();
        countAcknowledged();
    }

    /** Retrieved and not acknowledged. */
    int outstanding() {
        lock.lock();
        try {
            return retrieved - acknowledged;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until as many events as {@code reported} are acknowledged; false when the time ran out. */
    boolean await(int reported, Deadline deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (acknowledged - reported < 0) {
                if (changed.awaitNanos(deadline.remainingNanos()) <= 0 && acknowledged - reported < 0) {
                    return false;
                }
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
