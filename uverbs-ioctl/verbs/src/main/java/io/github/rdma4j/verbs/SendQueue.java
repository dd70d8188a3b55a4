// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.flight.QueueStatistics.QueueCounters;
import io.github.rdma4j.internal.provider.SendRing;
import io.github.rdma4j.internal.verbs.Posting;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The producer side of a send queue: the ring with its checks and its lock. */
final class SendQueue {
    /** Loads classes that few programs use: HotSpot inlines no method with an unloaded class in its signature. */
    static final List<Class<?>> IN_SIGNATURES = List.of(AddressHandle.class, MemoryWindow.class);

    private final VerbsObject qp;
    private final SendRing ring;
    private final SendLimits limits;

    /** The maximum number of outstanding requests: the requested number, even if the device granted more. */
    private final int capacity;

    /** Null unless a recording is active. */
    private final @Nullable QueueCounters counters;

    /** Serialises the producers, and keeps them out while the ring is retired. */
    private final QueueLock lock = new QueueLock();

    SendQueue(VerbsObject qp, SendRing ring, SendLimits limits, int capacity, @Nullable QueueCounters counters) {
        this.qp = qp;
        this.ring = ring;
        this.limits = limits;
        this.capacity = capacity;
        this.counters = counters;
    }

    int capacity() {
        return capacity;
    }

    /** Posts a request; returns false if there is no room; {@code posting} may be null. */
    boolean tryPost(SendWorkRequest request, @Nullable Posting posting) throws ErrnoException {
        lock.lock();
        try {
            limits.checkState();
            limits.check(request);
            if (ring.isFull(capacity)) {
                return false;
            }
            put(request, posting);
            publish(1);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Posts as many requests as there is room for, or none if one of them is invalid. */
    int post(SendWorkRequest[] requests, int count) throws ErrnoException {
        Objects.checkFromIndexSize(0, count, requests.length);
        lock.lock();
        try {
            limits.checkState();
            for (int i = 0; i < count; i++) {
                limits.check(requests[i]);
            }
            int posted = 0;
            while (posted < count && !ring.isFull(capacity)) {
                putNext(requests, posted++);
            }
            if (posted > 0) {
                publish(posted);
            }
            return posted;
        } finally {
            lock.unlock();
        }
    }

    private void putNext(SendWorkRequest[] requests, int index) {
        try {
            put(requests[index], null);
        } catch (Throwable e) {
            for (int i = 0; i < index; i++) {
                MemoryWindow window = requests[i].binds();
                if (window != null) {
                    window.undoBind();
                }
            }
            throw e;
        }
    }

    /**
     * Puts a request. If that fails, for example because another thread changes the request, discards the unpublished
     * requests.
     */
    private void put(SendWorkRequest request, @Nullable Posting posting) {
        try {
            SendState view = request.view();
            view.gather();
            ring.put(view);
            MemoryWindow window = request.binds();
            if (window != null) {
                window.bindPut();
            }
            if (posting != null) {
                posting.isPut();
            }
        } catch (Throwable e) { // also an Error: the next doorbell must not publish the request
            ring.discard();
            throw e;
        }
    }

    /**
     * Publishes the requests. A failure removes none of them: the kernel may already have seen them, or sends them
     * later.
     */
    private void publish(int requests) throws ErrnoException {
        if (counters != null) {
            counters.sent(requests);
        }
        try {
            int result = ring.publish();
            if (result < 0) {
                throw new ErrnoException("IB_USER_VERBS_CMD_POST_SEND of " + qp, Errno.ofResult(result));
            }
        } finally {
            // Nothing else in the doorbell keeps the context, and thus the descriptor, from becoming garbage.
            Reference.reachabilityFence(qp);
        }
    }

    /** Keeps producers out until {@link #unlock}; held while the queue pair is destroyed. */
    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }
}
