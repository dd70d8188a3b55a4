// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueueFullException;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;

/**
 * A shared receive queue whose completions a {@link CompletionDispatcher} delivers. Created by {@link
 * CompletionDispatcher#attach(SharedReceiveQueue)}. Safe for use by several threads, including handlers. When the queue
 * is closed, the remaining receives complete with {@link WorkCompletionStatus#WR_FLUSH_ERR}.
 */
public final class AsyncReceiveQueue {
    private final SharedReceiveQueue srq;
    private final CompletionDispatcher dispatcher;
    private final RequestSlots<ReceiveWorkRequest> slots;

    AsyncReceiveQueue(SharedReceiveQueue srq, CompletionDispatcher dispatcher, RequestSlots<ReceiveWorkRequest> slots) {
        this.srq = srq;
        this.dispatcher = dispatcher;
        this.slots = slots;
    }

    /** Returns the shared receive queue. Post to it through this object only. */
    public SharedReceiveQueue sharedReceiveQueue() {
        return srq;
    }

    /**
     * Posts {@code request}; {@code handler} receives the completion, whose {@link WorkCompletion#qpNumber()}
     * identifies the queue pair.
     *
     * @throws QueueFullException if the queue is full; nothing was posted
     * @throws IllegalStateException if the queue is closed
     */
    public void receive(ReceiveWorkRequest request, WorkCompletion.Handler handler) throws RdmaException {
        if (!tryReceive(request, handler)) {
            throw new QueueFullException(srq.toString(), slots.capacity());
        }
    }

    /** Posts like {@link #receive}, but returns false if the queue is full. */
    public boolean tryReceive(ReceiveWorkRequest request, WorkCompletion.Handler handler) throws RdmaException {
        return dispatcher.tryPost(slots, request, handler);
    }

    @Override
    public String toString() {
        return "Async" + srq;
    }
}
