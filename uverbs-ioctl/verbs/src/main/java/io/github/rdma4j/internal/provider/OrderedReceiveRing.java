// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Base of receive queues whose receives complete in the order of posting: counters that run freely and are compared by
 * difference, and the work request numbers by entry.
 */
public abstract class OrderedReceiveRing implements ReceiveRing {
    /** No entry. */
    protected static final int NONE = -1;

    private final int capacity;
    private final int maxSge;
    private final long[] wrIds;

    /** The number of posted receives, written by the producer. */
    private final AtomicInteger head = new AtomicInteger();

    /** The number of completed receives, written by the poller. */
    private final AtomicInteger done = new AtomicInteger();

    /** The value of {@link #done} that the producer saw last. */
    private int seenDone;

    /**
     * Creates a ring without receives.
     *
     * @param entries entries of the ring
     * @param capacity the number of entries that may be in use
     * @param maxSge the scatter-gather entries of a receive
     */
    protected OrderedReceiveRing(int entries, int capacity, int maxSge) {
        this.capacity = capacity;
        this.maxSge = maxSge;
        this.wrIds = new long[entries];
    }

    @Override
    public final int capacity() {
        return capacity;
    }

    @Override
    public final int maxSge() {
        return maxSge;
    }

    // ---- the producer

    @Override
    public final boolean isFull(int limit) {
        if (head.getPlain() - seenDone < limit) {
            return false;
        }
        seenDone = done.getAcquire();
        return head.getPlain() - seenDone >= limit;
    }

    /** The number of posted receives. */
    protected final int count() {
        return head.getPlain();
    }

    /** Posts the receive in {@code entry}; returns the number of posted receives. */
    protected final int post(int entry, long wrId) {
        wrIds[entry] = wrId;
        int next = head.getPlain() + 1;
        head.setRelease(next);
        return next;
    }

    /** True if all posted receives have completed. */
    protected final boolean isIdle() {
        return done.getAcquire() == head.getPlain();
    }

    /** Counts the posted receives as completed, because they will never complete. */
    protected final void skipPosted() {
        done.setRelease(head.getPlain());
    }

    /** Restarts the counters from 0. No other thread may post or poll at the same time. */
    protected final void restart() {
        head.set(0);
        done.set(0);
        seenDone = 0;
    }

    // ---- the poller

    /** The number of completed receives. */
    protected final int doneCount() {
        return done.getPlain();
    }

    /** The number of posted receives, with acquire: their entries may be read. */
    protected final int postedCount() {
        return head.getAcquire();
    }

    /** The work request number of the receive in {@code entry}. */
    public final long wrId(int entry) {
        return wrIds[entry];
    }

    /** Makes room for one receive. */
    public final void finishOne() {
        done.setRelease(done.getPlain() + 1);
    }
}
