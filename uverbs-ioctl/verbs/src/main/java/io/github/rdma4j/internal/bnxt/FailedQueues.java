// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/** Queue pairs whose sends, or whose receives, are flushed when a completion queue is polled. Safe for use by several threads. */
final class FailedQueues {
    private static final BnxtQueueRings[] NONE = {};

    private final ReentrantLock changing = new ReentrantLock();
    private volatile BnxtQueueRings[] queues = NONE;

    boolean isEmpty() {
        return queues.length == 0;
    }

    /** The queue pairs in the order in which they failed. */
    BnxtQueueRings[] all() {
        return queues;
    }

    /** Adds a queue pair, unless it is there. */
    void add(BnxtQueueRings queue) {
        changing.lock();
        try {
            if (!Arrays.asList(queues).contains(queue)) {
                BnxtQueueRings[] more = Arrays.copyOf(queues, queues.length + 1);
                more[queues.length] = queue;
                queues = more;
            }
        } finally {
            changing.unlock();
        }
    }

    void remove(BnxtQueueRings queue) {
        changing.lock();
        try {
            queues = Arrays.stream(queues).filter(each -> each != queue).toArray(BnxtQueueRings[]::new);
        } finally {
            changing.unlock();
        }
    }
}
