// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The handles of queue pairs: numbers of 64 bits that a process chooses and that each completion repeats. Handles are
 * never reused in a context, so that a late completion finds no queue pair.
 *
 * <p>The low bits are an index into a table, which is reused; the high bits count the queue pairs.
 *
 * @param <Q> the type of the queues
 */
public final class QueueHandles<Q extends QueueHandles.Owner> {
    /** The handle of no queue pair. */
    public static final long NONE = 0;

    private static final int PLACE_BITS = 24;
    private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;

    private final QueueTable<Q> queues = new QueueTable<>();
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@link #lock}. */
    private final BitSet taken = new BitSet();

    /** Guarded by {@link #lock}. */
    private long count;

    /** Creates an empty set of handles. */
    public QueueHandles() {}

    /** The owner of a handle. */
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

    /** Registers {@code queue} under its handle, which was taken before. */
    public void put(Q queue) {
        queues.set((int) queue.handle() & PLACE_MASK, queue);
    }

    /** A cache for the look-ups of one completion queue. */
    public Recent<Q> recent() {
        return new Recent<>(queues.recent());
    }

    /**
     * A cache like {@link QueueTable.Recent}. Not safe for use by several threads.
     *
     * @param <Q> the type of the queues
     */
    public static final class Recent<Q extends Owner> {
        private final QueueTable.Recent<Q> queues;

        private Recent(QueueTable.Recent<Q> queues) {
            this.queues = queues;
        }

        /** The queue pair of {@code handle}; null if there is no such queue pair any longer. */
        public @Nullable Q get(long handle) {
            Q found = queues.get((int) handle & PLACE_MASK);
            return found != null && found.handle() == handle ? found : null;
        }
    }

    /** Removes {@code queue} and frees its handle. */
    public void remove(Q queue) {
        queues.remove((int) queue.handle() & PLACE_MASK, queue);
        release(queue.handle());
    }

    /** Frees a handle for which no queue pair was created. */
    public void release(long handle) {
        lock.lock();
        try {
            taken.clear((int) handle & PLACE_MASK);
        } finally {
            lock.unlock();
        }
    }
}
