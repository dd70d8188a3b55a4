// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.Deadline;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The numbers of retrieved and acknowledged events of an id. The kernel's count of retrieved events also includes
 * events that the user does not receive, such as an event of a group that the id has left.
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

    /** Returns the number of retrieved events, modulo 2^32. */
    int retrieved() {
        lock.lock();
        try {
            return retrieved;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of retrieved events that are not acknowledged. */
    int outstanding() {
        lock.lock();
        try {
            return retrieved - acknowledged;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until {@code number} events are acknowledged; returns false if the time limit expires. Checks for an
     * interrupt only if it has to wait.
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
