// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a CM id and its multicast memberships, with a queue of their events that were read from the kernel and
 * wait for the lock. The thread that reads an event adds it to the queue and never waits for the lock. The lock makes
 * commands and events of the id mutually exclusive, and events are processed in the order in which they were added.
 *
 * <p>No event is stranded: a thread checks for events after it releases the lock, and checks whether the lock is free
 * after it adds an event. At least one of two such threads therefore sees the change of the other. The adding thread
 * may return with the event of another id; {@link Retrieval} then wakes the waiting threads.
 */
final class IdLock {
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Delivery> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Runnable wakeChannel;

    /** Creates a lock; a thread that has released it while events are queued runs {@code wakeChannel}. */
    IdLock(Runnable wakeChannel) {
        this.wakeChannel = wakeChannel;
    }

    void lock() {
        lock.lock();
    }

    boolean tryLock() {
        return lock.tryLock();
    }

    void unlock() {
        lock.unlock();
        if (!lock.isHeldByCurrentThread() && hasEvents()) {
            wakeChannel.run();
        }
    }

    /** Queues an event. Called by the thread that read it, in the order of reading. */
    void add(Delivery delivery) {
        waiting.add(delivery);
        count.incrementAndGet();
    }

    /** Queues an event in front of the others. Call under the lock, while no thread can add an event. */
    void addFirst(Delivery delivery) {
        List<Delivery> later = new ArrayList<>();
        for (Delivery next = next(); next != null; next = next()) {
            later.add(next);
        }
        add(delivery);
        later.forEach(this::add);
    }

    /**
     * Removes and returns the oldest event, or null. Call under the lock, unless the id is closed and the order is
     * irrelevant.
     */
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

    /** Returns the approximate number of queued events. */
    int events() {
        return count.get();
    }

    /** Returns true if an event can be processed now. */
    boolean isDue() {
        return hasEvents() && !lock.isLocked();
    }
}
