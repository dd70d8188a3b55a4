// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.flight.QueueStatistics.QueueCounters;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.verbs.Posting;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The producers' side of a receive queue, a queue pair's own or a shared one: the ring behind its checks and its lock. */
final class ReceiveQueue implements SharedReceiveRing.ProducerLock {
    private static final long MAX_UINT32 = 0xffff_ffffL;

    private final VerbsObject owner;
    private final ReceiveRing ring;

    /** How many requests may be in flight: what the program asked for, though the device may have granted more. */
    private final int capacity;

    /** Null unless a recording wants them. */
    private final @Nullable QueueCounters counters;

    /** Serialises the producers, and keeps them out while the ring is retired. */
    private final QueueLock lock = new QueueLock();

    /** A queue for {@code asked} requests, unless the ring is smaller. */
    ReceiveQueue(VerbsObject owner, ReceiveRing ring, int asked, @Nullable QueueCounters counters) {
        this.owner = owner;
        this.ring = ring;
        this.capacity = Math.min(asked, ring.capacity());
        this.counters = counters;
    }

    int capacity() {
        return capacity;
    }

    /** False when there is no room; {@code posting} may be null. */
    boolean tryPost(ReceiveWorkRequest request, @Nullable Posting posting) {
        lock.lock();
        try {
            owner.ensureOpen();
            check(request);
            if (ring.isFull(capacity)) {
                return false;
            }
            ring.put(request.view());
            if (posting != null) {
                posting.isPut();
            }
            if (counters != null) {
                counters.received();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** All or, when one of them is refused, none; fewer when there is no room. */
    int post(ReceiveWorkRequest[] requests, int count) {
        Objects.checkFromIndexSize(0, count, requests.length);
        lock.lock();
        try {
            owner.ensureOpen();
            for (int i = 0; i < count; i++) {
                check(requests[i]);
            }
            int posted = 0;
            while (posted < count && !ring.isFull(capacity)) {
                ring.put(requests[posted++].view());
                if (counters != null) {
                    counters.received();
                }
            }
            return posted;
        } finally {
            lock.unlock();
        }
    }

    private void check(ReceiveWorkRequest request) {
        if (request.size() > ring.maxSge()) {
            throw new IllegalArgumentException(request.size() + " pieces of memory where the receive queue of " + owner
                    + " takes " + ring.maxSge() + ": raise maxReceiveSge");
        }
        if (request.totalLength() > MAX_UINT32) {
            throw new IllegalArgumentException(
                    "a receive of " + request.totalLength() + " bytes; a receive takes " + MAX_UINT32 + " at most");
        }
        request.ensureUsable();
    }

    /** Held while the owner is destroyed. */
    @Override
    public void lock() {
        lock.lock();
    }

    @Override
    public void unlock() {
        lock.unlock();
    }
}
