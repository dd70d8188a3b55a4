// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueueFullException;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.WorkCompletionException;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * A queue pair whose completions a {@link CompletionDispatcher} delivers: each work request is posted together with the handler
 * of its completion, or gives a future.
 *
 * <p>Made by {@link CompletionDispatcher#attach(QueuePair)}. Safe for use by several threads, handlers among them. Every work
 * request completes: when the queue pair is closed, what the device has not completed completes with {@link
 * WorkCompletionStatus#WR_FLUSH_ERR}, after the device has let go of the memory. Only when {@link QueuePair#close()} throws may
 * the device still use the memory: buffers that count their users are never released then, and memory that the program
 * manages must stay until the context is closed. Posting with a handler allocates nothing.
 *
 * <p>A handler that answers and posts again may find its queue pair closed by another thread. That is no error: what a handler
 * posts then completes with {@link WorkCompletionStatus#WR_FLUSH_ERR} too. So a handler looks at {@link
 * WorkCompletion#isSuccess()} first, returns when it is false, and otherwise posts. Other threads, and a handler that is told of such a
 * flush, get {@link IllegalStateException} from a queue pair that is closed.
 */
public final class AsyncQueuePair {
    private final QueuePair qp;
    private final CompletionDispatcher dispatcher;
    private final RequestSlots<SendWorkRequest> sends;
    private final RequestSlots<ReceiveWorkRequest> receives;

    AsyncQueuePair(
            QueuePair qp,
            CompletionDispatcher dispatcher,
            RequestSlots<SendWorkRequest> sends,
            RequestSlots<ReceiveWorkRequest> receives) {
        this.qp = qp;
        this.dispatcher = dispatcher;
        this.sends = sends;
        this.receives = receives;
    }

    /** The queue pair. Post to it through this object only. */
    public QueuePair queuePair() {
        return qp;
    }

    /**
     * Posts {@code request} to the send queue, signaled, whatever the request says; {@code handler} gets the completion.
     *
     * @throws QueueFullException when the queue has as many requests in flight as it holds; nothing was posted
     * @throws IllegalStateException when the queue pair is closed or not yet ready to send
     * @throws IllegalArgumentException as {@link QueuePair#postSend(SendWorkRequest)} does
     * @throws UnsupportedOperationException as {@link QueuePair#postSend(SendWorkRequest)} does
     * @throws io.github.rdma4j.kernel.ErrnoException when the kernel could not be told; the request is in the queue all the
     *     same, and the handler gets its completion
     */
    public void send(SendWorkRequest request, WorkCompletion.Handler handler) throws RdmaException {
        if (!trySend(request, handler)) {
            throw new QueueFullException("send queue of " + qp, sends.capacity());
        }
    }

    /** As {@link #send(SendWorkRequest, WorkCompletion.Handler)}, but returns false when the queue is full. */
    public boolean trySend(SendWorkRequest request, WorkCompletion.Handler handler) throws RdmaException {
        return dispatcher.tryPost(sends, request, handler);
    }

    /**
     * As {@link #send(SendWorkRequest, WorkCompletion.Handler)}, but waits for room while the queue is full.
     *
     * @param limit how long to wait at most
     * @return false when the time ran out; nothing was posted
     * @throws IllegalStateException on the thread of the handlers, which would wait for itself: use {@link #whenSendable}
     *     there. The thread of an executor is known if {@link DispatcherOptions.Builder#handlersOn(java.util.concurrent.Executor,
     *     java.util.function.BooleanSupplier)} was used
     */
    public boolean send(SendWorkRequest request, WorkCompletion.Handler handler, Duration limit)
            throws RdmaException, InterruptedException {
        Objects.requireNonNull(handler, "handler");
        dispatcher.refuseToWait();
        return sends.post(request, handler, limit);
    }

    /**
     * As {@link #send(SendWorkRequest, WorkCompletion.Handler)}, with a future in place of the handler.
     *
     * @return the completion, a copy of its own; or {@link WorkCompletionException} when the work request failed. Cancelling
     *     the future does not stop the device.
     */
    public CompletableFuture<WorkCompletion> send(SendWorkRequest request) throws RdmaException {
        CompletableFuture<WorkCompletion> future = new CompletableFuture<>();
        send(request, completion -> complete(future, completion));
        return future;
    }

    /**
     * Has {@code action} run once as soon as the send queue has room, by the thread of the handlers. If the queue pair is closed
     * instead, the action runs as well, and what it posts completes with {@link WorkCompletionStatus#WR_FLUSH_ERR}. Actions run
     * in the order of the calls until one of them takes the room, and before a thread that waits in {@link
     * #send(SendWorkRequest, WorkCompletion.Handler, Duration)}. Another thread may have taken the room meanwhile: post with {@link
     * #trySend}, and call this method again if that returns false.
     */
    public void whenSendable(Runnable action) {
        Objects.requireNonNull(action, "action");
        if (sends.whenRoom(action)) {
            dispatcher.later(action);
        }
    }

    /**
     * Posts {@code request} to the receive queue; {@code handler} gets the completion.
     *
     * @throws QueueFullException when the queue has as many requests in flight as it holds; nothing was posted
     * @throws IllegalStateException when the queue pair is closed or in RESET, or takes its receives from a shared receive
     *     queue: attach that one too, and post to it
     */
    public void receive(ReceiveWorkRequest request, WorkCompletion.Handler handler) throws RdmaException {
        if (!tryReceive(request, handler)) {
            throw new QueueFullException("receive queue of " + qp, receives.capacity());
        }
    }

    /** As {@link #receive(ReceiveWorkRequest, WorkCompletion.Handler)}, but returns false when the queue is full. */
    public boolean tryReceive(ReceiveWorkRequest request, WorkCompletion.Handler handler) throws RdmaException {
        return dispatcher.tryPost(receives, request, handler);
    }

    /**
     * As {@link #receive(ReceiveWorkRequest, WorkCompletion.Handler)}, with a future in place of the handler.
     *
     * @return the completion, a copy of its own; or {@link WorkCompletionException} when the work request failed
     */
    public CompletableFuture<WorkCompletion> receive(ReceiveWorkRequest request) throws RdmaException {
        CompletableFuture<WorkCompletion> future = new CompletableFuture<>();
        receive(request, completion -> complete(future, completion));
        return future;
    }

    private static void complete(CompletableFuture<WorkCompletion> future, WorkCompletion completion) {
        if (completion.isSuccess()) {
            future.complete(completion.copy());
        } else {
            future.completeExceptionally(new WorkCompletionException(completion));
        }
    }

    @Override
    public String toString() {
        return "Async" + qp;
    }
}
