// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import io.github.rdma4j.kernel.MalformedReplyException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Queues of a context by the 24-bit number in completions. A look-up takes no lock and allocates nothing.
 *
 * @param <Q> the type of the queues
 */
public final class QueueTable<Q> {
    private static final int SHIFT = 12;
    private static final int MASK = (1 << SHIFT) - 1;

    private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable Q>> pages =
            new AtomicReferenceArray<>(1 << SHIFT);

    private final ReentrantLock lock = new ReentrantLock();

    /** Incremented after each change. */
    private final AtomicInteger changes = new AtomicInteger();

    /** Creates an empty table. */
    public QueueTable() {}

    /** The queue with the number {@code number} of at most 24 bits; null if there is none. */
    public @Nullable Q get(int number) {
        AtomicReferenceArray<@Nullable Q> page = pages.get(number >>> SHIFT);
        return page == null ? null : page.get(number & MASK);
    }

    /**
     * Registers {@code queue} under {@code number}.
     *
     * @throws MalformedReplyException if the kernel's number has more than 24 bits
     */
    public void put(int number, Q queue) throws MalformedReplyException {
        if (number >>> (2 * SHIFT) != 0) {
            throw new MalformedReplyException(
                    "reply that makes a queue, number 0x" + Integer.toHexString(number) + " of more than 24 bits",
                    0,
                    Integer.BYTES);
        }
        set(number, queue);
    }

    /** Registers {@code queue} under a number of 24 bits. */
    void set(int number, Q queue) {
        lock.lock();
        try {
            AtomicReferenceArray<@Nullable Q> page = pages.get(number >>> SHIFT);
            if (page == null) {
                page = new AtomicReferenceArray<>(1 << SHIFT);
                pages.set(number >>> SHIFT, page);
            }
            page.set(number & MASK, queue);
            changes.getAndIncrement();
        } finally {
            lock.unlock();
        }
    }

    /** Removes {@code queue}, but not another queue that now has the same number. */
    public void remove(int number, Q queue) {
        AtomicReferenceArray<@Nullable Q> page = pages.get(number >>> SHIFT);
        if (page != null) {
            page.compareAndSet(number & MASK, queue, null);
            changes.getAndIncrement();
        }
    }

    /** A cache for the look-ups of one completion queue. */
    public Recent<Q> recent() {
        return new Recent<>(this);
    }

    /**
     * Caches the last queue: consecutive completions usually belong to one queue, whose fields then need not wait for
     * loads that depend on the number. Not safe for use by several threads.
     *
     * @param <Q> the type of the queues
     */
    public static final class Recent<Q> {
        private final QueueTable<Q> table;
        private int number;
        private int changes = -1;
        private @Nullable Q queue;

        private Recent(QueueTable<Q> table) {
            this.table = table;
        }

        /** Like {@link QueueTable#get}. */
        public @Nullable Q get(int wanted) {
            int now = table.changes.get();
            if (wanted == number && now == changes) {
                return queue;
            }
            queue = table.get(wanted);
            number = wanted;
            changes = now; // read before the look-up: the next look-up notices a concurrent change
            return queue;
        }
    }
}
