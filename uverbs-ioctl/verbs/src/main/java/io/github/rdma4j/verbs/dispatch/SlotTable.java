// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a dispatcher, found by the upper bits of their work request ids: an index, and a count that
 * distinguishes queues with the same index. All queues together have no more requests in flight than the completion
 * queue holds.
 */
final class SlotTable {
    private static final int COUNT_BITS = 16;
    private static final int COUNT_MASK = (1 << COUNT_BITS) - 1;
    static final int INDEX_SHIFT = COUNT_BITS + RequestSlots.SLOT_BITS;

    /** Guards the following fields; look-ups read {@link #entries} without it. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Deque<Integer> free = new ArrayDeque<>();
    private final int capacity;
    private int reserved;
    private int counted;
    private int used;

    /** Replaced by a larger array when full. */
    private volatile AtomicReferenceArray<@Nullable RequestSlots<?>> entries = new AtomicReferenceArray<>(4);

    SlotTable(int capacity) {
        this.capacity = capacity;
    }

    /** Returns how many more requests may be in flight. */
    int room() {
        lock.lock();
        try {
            return capacity - reserved;
        } finally {
            lock.unlock();
        }
    }

    /** Reserves room for {@code requests} work requests; returns false if there is too little. */
    boolean tryReserve(int requests) {
        lock.lock();
        try {
            boolean fits = requests <= capacity - reserved;
            reserved += fits ? requests : 0;
            return fits;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Reserves room for {@code requests} work requests.
     *
     * @throws IllegalStateException if there is too little room
     */
    void reserve(int requests) {
        lock.lock();
        try {
            if (!tryReserve(requests)) {
                throw new IllegalStateException("the queue may have " + requests
                        + " work requests in flight, and the completion queue of the dispatcher has room for "
                        + room() + " of its " + capacity + ": raise DispatcherOptions.completions to "
                        + (reserved + requests) + " or more, the sum of maxSendWr and maxReceiveWr of all its queues;"
                        + " for more than DeviceAttr.maxCqe use CompletionDispatchers, which have several completion"
                        + " queues");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns reserved room. */
    void unreserve(int requests) {
        lock.lock();
        try {
            reserved -= requests;
        } finally {
            lock.unlock();
        }
    }

    /** Creates the slots of a queue with the tag assigned to it, and enters them. The room must be reserved already. */
    <S extends RequestSlots<?>> S enter(LongFunction<S> making) {
        lock.lock();
        try {
            int index = free.isEmpty() ? used : free.peek();
            counted = (counted + 1) & COUNT_MASK;
            long tag = ((long) index << INDEX_SHIFT) | ((long) counted << RequestSlots.SLOT_BITS);
            S slots = making.apply(tag);
            if (index == entries.length()) {
                entries = enlarged(entries);
            }
            entries.set(index, slots);
            if (index == used) {
                used++;
            } else {
                free.pop();
            }
            return slots;
        } finally {
            lock.unlock();
        }
    }

    private static AtomicReferenceArray<@Nullable RequestSlots<?>> enlarged(
            AtomicReferenceArray<@Nullable RequestSlots<?>> full) {
        AtomicReferenceArray<@Nullable RequestSlots<?>> larger = new AtomicReferenceArray<>(2 * full.length());
        for (int index = 0; index < full.length(); index++) {
            larger.set(index, full.get(index));
        }
        return larger;
    }

    /** Removes a destroyed queue whose completions have all been delivered. Idempotent. */
    void remove(RequestSlots<?> slots) {
        lock.lock();
        try {
            reserved -= withdraw(slots) ? slots.capacity() : 0;
        } finally {
            lock.unlock();
        }
    }

    /** Takes back {@link #enter}; the room stays reserved. Returns false if the queue is not in the table. */
    boolean withdraw(RequestSlots<?> slots) {
        lock.lock();
        try {
            int index = (int) (slots.tag() >>> INDEX_SHIFT);
            boolean entered = entries.compareAndSet(index, slots, null);
            if (entered) {
                free.push(index);
            }
            return entered;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the queue of the request with the id {@code wrId}, or null if there is none. */
    @Nullable
    RequestSlots<?> find(long wrId) {
        AtomicReferenceArray<@Nullable RequestSlots<?>> now = entries;
        int index = (int) (wrId >>> INDEX_SHIFT);
        RequestSlots<?> slots = index < now.length() ? now.get(index) : null;
        return slots != null && slots.tag() >>> RequestSlots.SLOT_BITS == wrId >>> RequestSlots.SLOT_BITS
                ? slots
                : null;
    }
}
