// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
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

    /** Replaced and never changed. */
    private volatile @Nullable Entry[] entries = new Entry[0];

    /**
     * A queue.
     *
     * @param tag the upper bits of the numbers
     * @param slots its requests
     */
    private record Entry(long tag, RequestSlots<?> slots) {}

    SlotTable(int capacity) {
        this.capacity = capacity;
    }

    /** Makes the slots of a queue, by the tag that they get, and enters them. */
    <S extends RequestSlots<?>> S add(int requests, LongFunction<S> making) {
        lock.lock();
        try {
            if (requests > capacity - reserved) {
                throw new IllegalStateException("the queue may have " + requests
                        + " work requests in flight, and the completion queue of the dispatcher has room for "
                        + (capacity - reserved) + " of its " + capacity + ": raise DispatcherOptions.completions to "
                        + (reserved + requests) + " or more, the sum of maxSendWr and maxReceiveWr of all its queues");
            }
            int index = free.isEmpty() ? entries.length : free.pop();
            counted = (counted + 1) & COUNT_MASK;
            long tag = ((long) index << INDEX_SHIFT) | ((long) counted << RequestSlots.SLOT_BITS);
            S slots = making.apply(tag);
            @Nullable Entry[] changed = Arrays.copyOf(entries, Math.max(entries.length, index + 1));
            changed[index] = new Entry(tag, slots);
            entries = changed;
            reserved += requests;
            return slots;
        } finally {
            lock.unlock();
        }
    }

    /** The queue is gone, and none of its completions is to come. */
    void remove(RequestSlots<?> slots) {
        lock.lock();
        try {
            @Nullable Entry[] changed = entries.clone();
            for (int index = 0; index < changed.length; index++) {
                Entry entry = changed[index];
                if (entry != null && entry.slots == slots) {
                    changed[index] = null;
                    free.push(index);
                    reserved -= slots.capacity();
                }
            }
            entries = changed;
        } finally {
            lock.unlock();
        }
    }

    /** The queue of the request with the number {@code wrId}; null when it is none's. */
    @Nullable
    RequestSlots<?> find(long wrId) {
        @Nullable Entry[] now = entries;
        int index = (int) (wrId >>> INDEX_SHIFT);
        Entry entry = index < now.length ? now[index] : null;
        return entry != null && entry.tag >>> RequestSlots.SLOT_BITS == wrId >>> RequestSlots.SLOT_BITS
                ? entry.slots
                : null;
    }
}
