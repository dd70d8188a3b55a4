// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueueFullException;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;

/**
 * A shared receive queue whose completions a {@link CompletionDispatcher} delivers. Made by {@link
 * CompletionDispatcher#attach(SharedReceiveQueue)}. Safe for use by several threads, handlers among them. When the queue is
 * closed, what is left completes with {@link WorkCompletionStatus#WR_FLUSH_ERR}.
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

    /** The queue. Post to it through this object only. */
    public SharedReceiveQueue sharedReceiveQueue() {
        return srq;
    }

    /**
     * Posts {@code request}; {@code handler} gets the completion, which tells the queue pair by {@link
     * WorkCompletion#qpNumber()}.
     *
     * @throws QueueFullException when the queue has as many requests in flight as it holds; nothing was posted
     * @throws IllegalStateException when the queue is closed
     */
    public void receive(ReceiveWorkRequest request, WorkCompletion.Handler handler) throws RdmaException {
        if (!tryReceive(request, handler)) {
            throw new QueueFullException(srq.toString(), slots.capacity());
        }
    }

    /** As {@link #receive}, but returns false when the queue is full. */
    public boolean tryReceive(ReceiveWorkRequest request, WorkCompletion.Handler handler) throws RdmaException {
        return dispatcher.tryPost(slots, request, handler);
    }

    @Override
    public String toString() {
        return "Async" + srq;
    }
}
