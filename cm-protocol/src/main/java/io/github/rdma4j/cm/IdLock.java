// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a CM id and its multicast memberships, with a queue of their events that were read from the kernel and
 * wait for the lock. The thread that reads an event adds it to the queue and never waits for the lock. The lock makes
 * commands and events of the id mutually exclusive, and events are processed in the order in which they were added.
 *
 * <p>No event is stranded: a thread that releases the lock then checks for events, and a thread that adds an event then
 * checks whether the lock is free, so at least one of them sees the change of the other. The second thread may return
 * with the event of another id; {@link Retrieval} then wakes the waiting threads.
 */
final class IdLock {
    /** How long an event is retried while there is no memory for it, before it is dropped. */
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Delivery> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Runnable wakeChannel;

    /** The oldest event if there was no memory for it; written under the lock. */
    private final AtomicReference<@Nullable Delivery> delayed = new AtomicReference<>();

    /** The time since which there has been no memory for an event; 0 if there is. Guarded by the lock. */
    private long delayedSince;

    /** {@code wakeChannel} is run by a thread that has released the lock while events are queued. */
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

    /** Queues an event before the others. Call under the lock, while no thread can add an event. */
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
        Delivery next = delayed.getAndSet(null);
        if (next == null) {
            next = waiting.poll();
        }
        if (next != null) {
            count.decrementAndGet();
        }
        return next;
    }

    /** Returns an event for which there was no memory to the head of the queue, or drops it after too long a time. */
    void delay(Delivery delivery) {
        if (mayRetry()) {
            delayedSince = delayedSince == 0 ? System.nanoTime() | 1 : delayedSince;
            delayed.set(delivery);
            count.incrementAndGet();
        } else {
            delayedSince = 0;
        }
    }

    /** Returns true if an event may be retried for lack of memory. Call under the lock. */
    boolean mayRetry() {
        return delayedSince == 0 || System.nanoTime() - delayedSince < PATIENCE_NANOS;
    }

    /** Records that there was memory for the event. Call under the lock. */
    void settle() {
        delayedSince = 0;
    }

    /** Returns true if the oldest event is one for which there was no memory. */
    boolean isDelayed() {
        return delayed.get() != null;
    }

    boolean hasEvents() {
        return delayed.get() != null || !waiting.isEmpty();
    }

    /** Returns the approximate number of queued events. */
    int events() {
        return count.get();
    }

    /** Returns true if there is an event that could be processed now. */
    boolean isDue() {
        return hasEvents() && !lock.isLocked();
    }
}
