// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a CM id and of its multicast memberships, and the events of theirs that were read from the kernel and wait
 * for it: whoever reads an event adds it here, and never waits for the lock. Commands and events of the id exclude each
 * other by the lock, and events take effect in the order in which they were added.
 *
 * <p>No event is stranded: the thread that frees the lock looks for events after that, and the thread that adds one looks
 * whether the lock is free after that, so at least one of them sees the other's doing.
 */
final class IdLock {
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Delivery> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Runnable eventsWait;

    /** {@code eventsWait} is run by the thread that has freed the lock while there are events. */
    IdLock(Runnable eventsWait) {
        this.eventsWait = eventsWait;
    }

    void lock() {
        lock.lock();
    }

    boolean tryLock() {
        return lock.tryLock();
    }

    void unlock() {
        lock.unlock();
        if (!lock.isHeldByCurrentThread() && !waiting.isEmpty()) {
            eventsWait.run();
        }
    }

    /** For whoever has read it, in the order of reading. */
    void add(Delivery delivery) {
        count.incrementAndGet();
        waiting.add(delivery);
    }

    /** The oldest event, or null. Under the lock, unless the id is closed and the order has no meaning any more. */
    @Nullable
    Delivery next() {
        Delivery next = waiting.poll();
        if (next != null) {
            count.decrementAndGet();
        }
        return next;
    }

    boolean hasEvents() {
        return !waiting.isEmpty();
    }

    /** How many events wait, or are being added. */
    int events() {
        return count.get();
    }

    /** Whether there is an event that could take effect now. */
    boolean isDue() {
        return !waiting.isEmpty() && !lock.isLocked();
    }
}
