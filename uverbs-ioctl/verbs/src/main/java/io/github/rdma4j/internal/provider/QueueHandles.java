// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The handles of queue pairs: numbers of 64 bits that a process chooses and that each completion repeats. No two queue pairs of a
 * context get the same handle, so that a late completion is of no queue pair.
 *
 * <p>The low bits are the place in a table, which is used again; the high bits count the queue pairs.
 *
 * @param <Q> the type of the queues
 */
public final class QueueHandles<Q extends QueueHandles.Owner> {
    /** Of no queue pair. */
    public static final long NONE = 0;

    private static final int PLACE_BITS = 24;
    private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;

    private final QueueTable<Q> queues = new QueueTable<>();
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@link #lock}. */
    private final BitSet taken = new BitSet();

    /** Guarded by {@link #lock}. */
    private long count;

    /** No handle is taken. */
    public QueueHandles() {}

    /** The queues of a handle. */
    public interface Owner {
        /** The handle; always the same. */
        long handle();
    }

    /** A new handle. */
    public long take() {
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

    /** Makes {@code queue} the queue pair of its handle, which was taken. */
    public void put(Q queue) {
        queues.set((int) queue.handle() & PLACE_MASK, queue);
    }

    /** Look-ups for one completion queue. */
    public Recent<Q> recent() {
        return new Recent<>(queues.recent());
    }

    /**
     * Look-ups as those of {@link QueueTable.Recent}. Not safe for use by several threads.
     *
     * @param <Q> the type of the queues
     */
    public static final class Recent<Q extends Owner> {
        private final QueueTable.Recent<Q> queues;

        private Recent(QueueTable.Recent<Q> queues) {
            this.queues = queues;
        }

        /** The queue pair of {@code handle}; null if there is none, or no longer. */
        public @Nullable Q get(long handle) {
            Q found = queues.get((int) handle & PLACE_MASK);
            return found != null && found.handle() == handle ? found : null;
        }
    }

    /** The queue pair {@code queue} is gone. */
    public void remove(Q queue) {
        queues.remove((int) queue.handle() & PLACE_MASK, queue);
        release(queue.handle());
    }

    /** A handle of which no queue pair was made. */
    public void release(long handle) {
        lock.lock();
        try {
            taken.clear((int) handle & PLACE_MASK);
        } finally {
            lock.unlock();
        }
    }
}
