// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Queues of a context by the 24-bit number that completions carry. A look-up takes no lock and allocates nothing.
 *
 * @param <Q> the type of the queues
 */
public final class QueueTable<Q> {
    private static final int SHIFT = 12;
    private static final int MASK = (1 << SHIFT) - 1;

    private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable Q>> pages =
            new AtomicReferenceArray<>(1 << SHIFT);

    private final ReentrantLock lock = new ReentrantLock();

    /** A table without queues. */
    public QueueTable() {}

    /** The queue with the number {@code number} of at most 24 bits; null if there is no such queue. */
    public @Nullable Q get(int number) {
        AtomicReferenceArray<@Nullable Q> page = pages.get(number >>> SHIFT);
        return page == null ? null : page.get(number & MASK);
    }

    /** Makes {@code queue} the queue with the number {@code number}. */
    public void put(int number, Q queue) {
        lock.lock();
        try {
            AtomicReferenceArray<@Nullable Q> page = pages.get(number >>> SHIFT);
            if (page == null) {
                page = new AtomicReferenceArray<>(1 << SHIFT);
                pages.set(number >>> SHIFT, page);
            }
            page.set(number & MASK, queue);
        } finally {
            lock.unlock();
        }
    }

    /** Removes {@code queue}, but not another queue that has the same number now. */
    public void remove(int number, Q queue) {
        AtomicReferenceArray<@Nullable Q> page = pages.get(number >>> SHIFT);
        if (page != null) {
            page.compareAndSet(number & MASK, queue, null);
        }
    }
}
