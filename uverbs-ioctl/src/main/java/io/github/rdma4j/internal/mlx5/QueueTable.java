// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The queue pairs of a context by the 24-bit number that completions carry: the user index, or the queue pair number with
 * CQE version 0. Looking up takes no lock and allocates nothing.
 */
final class QueueTable {
    /** The number that stands for no user index. */
    static final int NO_INDEX = 0xffffff;

    private static final int SHIFT = 12;
    private static final int MASK = (1 << SHIFT) - 1;

    private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable Mlx5QueueRings>> pages =
            new AtomicReferenceArray<>(1 << SHIFT);

    private final ReentrantLock lock = new ReentrantLock();

    /** User indexes in use. Guarded by {@link #lock}. */
    private final BitSet taken = new BitSet();

    /** The queue pair of {@code number}, which has at most 24 bits; null when there is none. */
    @Nullable
    Mlx5QueueRings get(int number) {
        AtomicReferenceArray<@Nullable Mlx5QueueRings> page = pages.get(number >>> SHIFT);
        return page == null ? null : page.get(number & MASK);
    }

    void put(int number, Mlx5QueueRings queues) {
        lock.lock();
        try {
            AtomicReferenceArray<@Nullable Mlx5QueueRings> page = pages.get(number >>> SHIFT);
            if (page == null) {
                page = new AtomicReferenceArray<>(1 << SHIFT);
                pages.set(number >>> SHIFT, page);
            }
            page.set(number & MASK, queues);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets {@code queues}, but not another queue pair that has its number by now. */
    void remove(int number, Mlx5QueueRings queues) {
        AtomicReferenceArray<@Nullable Mlx5QueueRings> page = pages.get(number >>> SHIFT);
        if (page != null) {
            page.compareAndSet(number & MASK, queues, null);
        }
    }

    /** Takes the lowest user index that is free. */
    int takeIndex() {
        lock.lock();
        try {
            int index = taken.nextClearBit(0);
            if (index == NO_INDEX) {
                throw new IllegalStateException("the device context has " + NO_INDEX + " queue pairs already");
            }
            taken.set(index);
            return index;
        } finally {
            lock.unlock();
        }
    }

    /** Gives a user index back, whose completions have all been forgotten. */
    void giveBackIndex(int index) {
        lock.lock();
        try {
            taken.clear(index);
        } finally {
            lock.unlock();
        }
    }
}
