// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import java.util.concurrent.atomic.AtomicInteger;

/** Base of send queues: the granted capacities, and counters that run freely and are compared by difference. */
public abstract class CountedSendRing implements SendRing {
    private final Capacities capacities;

    /** Copied from {@link #capacities}, next to the other fields that posting reads. */
    private final int capacity;

    private final int maxSge;

    /** The number of work requests put into the ring. */
    private int count;

    /** The value of {@link #done} that the producer saw last. */
    private int seenDone;

    /** The number of work requests that the device has finished; written by the poller. */
    private final AtomicInteger done = new AtomicInteger();

    /** Creates a ring without work requests. */
    protected CountedSendRing(Capacities capacities) {
        this.capacities = capacities;
        this.capacity = capacities.requests();
        this.maxSge = capacities.maxSge();
    }

    /**
     * The granted capacities of a send queue.
     *
     * @param requests work requests that fit
     * @param maxSge scatter-gather entries of a work request
     * @param maxInline bytes of inline data of a work request
     */
    public record Capacities(int requests, int maxSge, int maxInline) {}

    @Override
    public final int capacity() {
        return capacity;
    }

    @Override
    public final int maxSge() {
        return maxSge;
    }

    @Override
    public final int maxInline() {
        return capacities.maxInline();
    }

    // ---- the producer

    @Override
    public final boolean isFull(int limit) {
        if (count - seenDone < limit) {
            return false;
        }
        seenDone = done.getAcquire();
        return count - seenDone >= limit;
    }

    /** The number of work requests put. */
    protected final int count() {
        return count;
    }

    /** Sets the number of work requests put, after a put or a discard. */
    protected final void count(int value) {
        count = value;
    }

    /** The counter of finished work requests, for a poller side in another object. */
    protected final AtomicInteger doneCounter() {
        return done;
    }

    /** True if all {@code of} work requests have completed. */
    protected final boolean isDone(int of) {
        return done.getAcquire() == of;
    }

    /** Restarts the counters from 0. No other thread may post or poll at the same time. */
    protected final void restart() {
        count = 0;
        seenDone = 0;
        done.set(0);
    }

    // ---- the poller

    /** The number of work requests that the device has finished. */
    protected final int doneCount() {
        return done.getPlain();
    }

    /** Records that the device has finished {@code value} work requests. */
    protected final void done(int value) {
        done.setRelease(value);
    }

    /** Checked again here, because a program may change a request while it is being posted. */
    public static void requireRoom(int wanted, int most) {
        if (wanted > most) {
            throw new IllegalArgumentException(
                    "the work request grew while it was posted: to " + wanted + " where the queue takes " + most);
        }
    }
}
