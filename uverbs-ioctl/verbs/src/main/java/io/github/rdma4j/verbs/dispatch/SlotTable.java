// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a dispatcher by the upper bits of the numbers of their work requests: an index, and a count that tells a queue
 * from the one that had the index before. The queues together have no more requests in flight than the completion queue holds.
 */
final class SlotTable {
    private static final int COUNT_BITS = 16;
    private static final int COUNT_MASK = (1 << COUNT_BITS) - 1;
    private static final int INDEX_SHIFT = COUNT_BITS + RequestSlots.SLOT_BITS;

    /** Guards what follows; a look-up reads {@link #entries} without it. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Deque<Integer> free = new ArrayDeque<>();
    private final int capacity;
    private int reserved;
    private int counted;
    private int used;

    /** Replaced by a larger array when it is full. */
    private volatile AtomicReferenceArray<@Nullable RequestSlots<?>> entries = new AtomicReferenceArray<>(4);

    SlotTable(int capacity) {
        this.capacity = capacity;
    }

    /** How many more requests may be in flight. */
    int room() {
        lock.lock();
        try {
            return capacity - reserved;
        } finally {
            lock.unlock();
        }
    }

    /** Sets room for {@code requests} aside; false when there is not as much. */
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
     * Sets room for {@code requests} aside.
     *
     * @throws IllegalStateException when there is not as much
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

    /** Room that was set aside is not needed. */
    void unreserve(int requests) {
        lock.lock();
        try {
            reserved -= requests;
        } finally {
            lock.unlock();
        }
    }

    /** Makes the slots of a queue, by the tag that they get, and enters them; the room was reserved. */
    <S extends RequestSlots<?>> S enter(LongFunction<S> making) {
        lock.lock();
        try {
            int index = free.isEmpty() ? used++ : free.pop();
            counted = (counted + 1) & COUNT_MASK;
            long tag = ((long) index << INDEX_SHIFT) | ((long) counted << RequestSlots.SLOT_BITS);
            S slots = making.apply(tag);
            if (index == entries.length()) {
                entries = enlarged(entries);
            }
            entries.set(index, slots);
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

    /** The queue is gone, and none of its completions is to come. A second time does nothing. */
    void remove(RequestSlots<?> slots) {
        lock.lock();
        try {
            int index = (int) (slots.tag() >>> INDEX_SHIFT);
            if (entries.compareAndSet(index, slots, null)) {
                free.push(index);
                reserved -= slots.capacity();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The queue of the request with the number {@code wrId}; null when it is none's. */
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
