// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.provider.QueueTable;
import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The completion contexts of queue pairs: the number of 64 bits that each completion repeats. No two queue pairs of a
 * device context get the same number, so that a late completion is of no queue pair.
 *
 * <p>The low bits are the place in a table, which is used again; the high bits count the queue pairs.
 */
final class QueueContexts {
    /** Of no queue pair. */
    static final long NONE = 0;

    private static final int PLACE_BITS = 24;
    private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;

    private final QueueTable<IrdmaQueueRings> queues = new QueueTable<>();
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@link #lock}. */
    private final BitSet taken = new BitSet();

    /** Guarded by {@link #lock}. */
    private long count;

    /** A new context. */
    long take() {
        lock.lock();
        try {
            int place = taken.nextClearBit(0);
            if (place > PLACE_MASK) {
                throw new IllegalStateException("the device context has " + place + " queue pairs already");
            }
            taken.set(place);
            return ++count << PLACE_BITS | place;
        } finally {
            lock.unlock();
        }
    }

    /** Makes {@code queues} the queue pair of a context that was taken. */
    void put(long context, IrdmaQueueRings rings) {
        queues.put((int) context & PLACE_MASK, rings);
    }

    /** The queue pair of {@code context}; null if there is none, or no longer. */
    @Nullable
    IrdmaQueueRings get(long context) {
        IrdmaQueueRings found = queues.get((int) context & PLACE_MASK);
        return found != null && found.context() == context ? found : null;
    }

    /** The queue pair of {@code context} is gone. */
    void remove(long context, IrdmaQueueRings rings) {
        queues.remove((int) context & PLACE_MASK, rings);
        release(context);
    }

    /** A context of which no queue pair was made. */
    void release(long context) {
        lock.lock();
        try {
            taken.clear((int) context & PLACE_MASK);
        } finally {
            lock.unlock();
        }
    }
}
