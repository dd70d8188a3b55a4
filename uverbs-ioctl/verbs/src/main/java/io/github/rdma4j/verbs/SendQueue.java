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

/** The producers' side of a send queue: the ring behind its checks and its lock. */
final class SendQueue {
    /** HotSpot inlines no method whose signature has a class that is not loaded, and most programs load neither of these. */
    static final List<Class<?>> IN_SIGNATURES = List.of(AddressHandle.class, MemoryWindow.class);

    private final QueuePair qp;
    private final SendRing ring;
    private final SendLimits limits;

    /** How many requests may be in flight: what the program asked for, though the device may have granted more. */
    private final int capacity;

    /** Null unless a recording wants them. */
    private final @Nullable QueueCounters counters;

    /** Serialises the producers, and keeps them out while the ring is retired. */
    private final QueueLock lock = new QueueLock();

    SendQueue(QueuePair qp, SendRing ring, SendLimits limits, int capacity, @Nullable QueueCounters counters) {
        this.qp = qp;
        this.ring = ring;
        this.limits = limits;
        this.capacity = capacity;
        this.counters = counters;
    }

    int capacity() {
        return capacity;
    }

    /** False when there is no room; {@code posting} may be null. */
    boolean tryPost(SendWorkRequest request, @Nullable Posting posting) throws ErrnoException {
        lock.lock();
        try {
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

    /** All or, when one of them is refused, none; fewer when there is no room. */
    int post(SendWorkRequest[] requests, int count) throws ErrnoException {
        Objects.checkFromIndexSize(0, count, requests.length);
        lock.lock();
        try {
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

    /** Takes back what is not published yet when a request fails, such as that another thread changes meanwhile. */
    private void put(SendWorkRequest request, @Nullable Posting posting) {
        try {
            ring.put(request.view());
            MemoryWindow window = request.binds();
            if (window != null) {
                window.bindPut();
            }
            if (posting != null) {
                posting.isPut();
            }
        } catch (Throwable e) { // an Error as well: the next doorbell must not publish the request
            ring.discard();
            throw e;
        }
    }

    /** A failure takes nothing back: the kernel may have seen the requests, and sends them at the next doorbell if not. */
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
            // The doorbell has nothing else that keeps the context, and with it the descriptor, from being garbage.
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
