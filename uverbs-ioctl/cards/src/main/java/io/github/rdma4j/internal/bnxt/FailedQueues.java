// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Failed queue pairs whose sends, or whose receives, are flushed when a completion queue is polled, in order of
 * failure. Each queue pair has its own link, so nothing is allocated. Another completion queue's poller may add a queue
 * pair at any time; iteration and removal happen under the lock of the completion queue.
 */
final class FailedQueues {
    private final AtomicBoolean changing = new AtomicBoolean();

    private volatile @Nullable Link first;
    private @Nullable Link last;

    /** The list node of a queue pair, for one of its two queues. */
    static final class Link {
        private final BnxtQueueRings queue;
        private volatile @Nullable Link next;
        private boolean listed;

        Link(BnxtQueueRings queue) {
            this.queue = queue;
        }

        BnxtQueueRings queue() {
            return queue;
        }

        /** The queue pair that failed next. */
        @Nullable
        Link next() {
            return next;
        }
    }

    boolean isEmpty() {
        return first == null;
    }

    /** The queue pair that failed first. */
    @Nullable
    Link first() {
        return first;
    }

    /** Adds a queue pair, unless it is already listed or has been forgotten by one of its completion queues. */
    void add(Link link) {
        lock();
        try {
            // checked under the lock: the flag is set before the link is removed
            if (link.listed || link.queue.isForgotten()) {
                return;
            }
            link.listed = true;
            Link end = last;
            if (end == null) {
                first = link;
            } else {
                end.next = link;
            }
            last = link;
        } finally {
            changing.setRelease(false);
        }
    }

    /** Removes a queue pair that is marked as forgotten. */
    void remove(Link link) {
        lock();
        try {
            if (link.listed) {
                unlink(link);
            }
        } finally {
            changing.setRelease(false);
        }
    }

    private void unlink(Link link) {
        Link before = null;
        for (Link each = first; each != null && each != link; each = each.next) {
            before = each;
        }
        if (before == null) {
            first = link.next;
        } else {
            before.next = link.next;
        }
        if (last == link) {
            last = before;
        }
        link.next = null;
        link.listed = false;
    }

    /** Acquires a lock that allocates nothing, even for a waiting thread. */
    @SuppressWarnings("ThreadPriorityCheck") // only a hint: on one processor it lets the holder run
    private void lock() {
        while (!changing.compareAndSet(false, true)) {
            Thread.yield();
        }
    }
}
