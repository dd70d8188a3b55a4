// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.Deadline;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many events of an id were retrieved and how many of them acknowledged. The kernel's count of retrieved events also has
 * those that no user gets to see, such as an event of a group that was left meanwhile.
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

    /** Retrieved so far, modulo 2^32. */
    int retrieved() {
        lock.lock();
        try {
            return retrieved;
        } finally {
            lock.unlock();
        }
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

    /**
     * Waits until as many events as {@code number} are acknowledged; false when the time ran out. An interrupt counts only when there
     * is something to wait for.
     */
    boolean await(int number, Deadline deadline) throws InterruptedException {
        lock.lock();
        try {
            while (acknowledged - number < 0) {
                if (changed.awaitNanos(deadline.remainingNanos()) <= 0 && acknowledged - number < 0) {
                    return false;
                }
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
