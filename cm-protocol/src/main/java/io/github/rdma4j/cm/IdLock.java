// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a CM id and of its multicast memberships, and the events of theirs that were read from the kernel and wait
 * for it: whoever reads an event adds it here, and never waits for the lock. Commands and events of the id exclude each
 * other by the lock, and events take effect in the order in which they were added.
 *
 * <p>No event is stranded: the thread that frees the lock looks for events after that, and the thread that adds one looks
 * whether the lock is free after that, so at least one of them sees the other's doing. The latter may return with the event of
 * another id then; {@link Retrieval} wakes those who sleep when it does.
 */
final class IdLock {
    /** How long an event that there is no memory for comes again, rather than go by. */
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Delivery> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Runnable wakeChannel;

    /** The oldest event, which there was no memory for; written under the lock. */
    private final AtomicReference<@Nullable Delivery> delayed = new AtomicReference<>();

    /** Since when there has been no memory for an event; 0 when there was for the last one. Guarded by the lock. */
    private long delayedSince;

    /** {@code wakeChannel} is run by the thread that has freed the lock while there are events. */
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

    /** For whoever has read it, in the order of reading. */
    void add(Delivery delivery) {
        waiting.add(delivery);
        count.incrementAndGet();
    }

    /** The oldest event, or null. Under the lock, unless the id is closed and the order has no meaning any more. */
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

    /** There was no memory for the event: it comes again, before the others, unless that has been so for long. */
    void delay(Delivery delivery) {
        if (isPatient()) {
            delayedSince = delayedSince == 0 ? System.nanoTime() | 1 : delayedSince;
            delayed.set(delivery);
            count.incrementAndGet();
        } else {
            delayedSince = 0;
        }
    }

    /** Whether an event that there is no memory for may come again, under the lock. */
    boolean isPatient() {
        return delayedSince == 0 || System.nanoTime() - delayedSince < PATIENCE_NANOS;
    }

    /** There was memory for the event; under the lock. */
    void settle() {
        delayedSince = 0;
    }

    /** Whether the oldest event is one that there was no memory for. */
    boolean isDelayed() {
        return delayed.get() != null;
    }

    boolean hasEvents() {
        return delayed.get() != null || !waiting.isEmpty();
    }

    /** How many events wait, about. */
    int events() {
        return count.get();
    }

    /** Whether there is an event that could take effect now. */
    boolean isDue() {
        return hasEvents() && !lock.isLocked();
    }
}
