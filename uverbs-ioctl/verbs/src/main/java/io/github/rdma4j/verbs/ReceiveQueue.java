// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.flight.QueueStatistics.QueueCounters;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.internal.verbs.Posting;
import io.github.rdma4j.kernel.RdmaException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The producer side of a receive queue, of a queue pair or shared: the ring with its checks and its lock. */
final class ReceiveQueue implements SharedReceiveRing.ProducerLock {
    private static final long MAX_UINT32 = 0xffff_ffffL;

    private final VerbsObject owner;
    private final ReceiveRing ring;

    /** The maximum number of outstanding requests: the requested number, even if the device granted more. */
    private final int capacity;

    /** Null unless a recording is active. */
    private final @Nullable QueueCounters counters;

    /** Serialises the producers, and keeps them out while the ring is retired. */
    private final QueueLock lock = new QueueLock();

    /** The number of requests ever posted, modulo 2^32; guarded by the lock. */
    private int posted;

    /** Creates a queue for {@code asked} requests, or fewer if the ring is smaller. */
    ReceiveQueue(VerbsObject owner, ReceiveRing ring, int asked, @Nullable QueueCounters counters) {
        this.owner = owner;
        this.ring = ring;
        this.capacity = Math.min(asked, ring.capacity());
        this.counters = counters;
    }

    int capacity() {
        return capacity;
    }

    /** Posts a request; returns false if there is no room; {@code posting} may be null. */
    boolean tryPost(ReceiveWorkRequest request, @Nullable Posting posting) {
        lock.lock();
        try {
            owner.ensureOpen();
            check(request);
            if (ring.isFull(capacity)) {
                return false;
            }
            ring.put(request.view());
            posted++;
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

    /** Posts as many requests as there is room for, or none if one of them is invalid. */
    int post(ReceiveWorkRequest[] requests, int count) {
        Objects.checkFromIndexSize(0, count, requests.length);
        lock.lock();
        try {
            owner.ensureOpen();
            for (int i = 0; i < count; i++) {
                check(requests[i]);
            }
            int put = 0;
            while (put < count && !ring.isFull(capacity)) {
                ring.put(requests[put++].view());
                if (counters != null) {
                    counters.received();
                }
            }
            posted += put;
            return put;
        } finally {
            lock.unlock();
        }
    }

    private void check(ReceiveWorkRequest request) {
        if (request.size() > ring.maxSge()) {
            throw new IllegalArgumentException(request.size() + " scatter-gather entries; the receive queue of " + owner
                    + " accepts at most " + ring.maxSge() + ": raise maxReceiveSge");
        }
        if (request.totalLength() > MAX_UINT32) {
            throw new IllegalArgumentException(
                    "a receive of " + request.totalLength() + " bytes; the maximum is " + MAX_UINT32);
        }
        request.ensureUsable();
    }

    /** True if at least {@code requests} requests are in the ring. */
    boolean holds(int requests) {
        lock.lock();
        try {
            owner.ensureOpen();
            return ring.isFull(requests);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of requests ever posted, modulo 2^32. */
    int posted() {
        lock.lock();
        try {
            return posted;
        } finally {
            lock.unlock();
        }
    }

    /** Runs {@code step} while no thread can post. */
    void whileLocked(FirstFailure.Step step) throws RdmaException {
        lock.lock();
        try {
            step.run();
        } finally {
            lock.unlock();
        }
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
