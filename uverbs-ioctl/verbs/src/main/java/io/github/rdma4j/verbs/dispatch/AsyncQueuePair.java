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
 * A queue pair whose completions a {@link CompletionDispatcher} delivers. Each post takes a handler for the completion,
 * or returns a future.
 *
 * <p>Created by {@link CompletionDispatcher#attach(QueuePair)}. Safe for use by several threads, including handlers.
 * Posting with a handler allocates nothing.
 *
 * <p>Every work request completes. When the queue pair is closed, requests still in flight complete with {@link
 * WorkCompletionStatus#WR_FLUSH_ERR}, after the device has stopped using their memory. If {@link QueuePair#close()}
 * throws, the device may still use the memory: reference-counted buffers are then never released, and the program must
 * keep its own memory until the context is closed.
 *
 * <p>A handler may find that another thread has closed its queue pair. This is not an error: a request that the handler
 * posts then also completes with {@link WorkCompletionStatus#WR_FLUSH_ERR}. A handler should therefore check {@link
 * WorkCompletion#isSuccess()} first, and return if it is false. Other threads, and handlers called with such a flushed
 * completion, get {@link IllegalStateException} when they post to a closed queue pair.
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

    /** Returns the queue pair. Post to it through this object only. */
    public QueuePair queuePair() {
        return qp;
    }

    /**
     * Posts {@code request} to the send queue. The request is signaled regardless of its flags, and {@code handler}
     * receives the completion.
     *
     * @throws QueueFullException if the queue is full; nothing was posted
     * @throws IllegalStateException if the queue pair is closed or not yet ready to send
     * @throws IllegalArgumentException as for {@link QueuePair#postSend(SendWorkRequest)}
     * @throws UnsupportedOperationException as for {@link QueuePair#postSend(SendWorkRequest)}
     * @throws io.github.rdma4j.kernel.ErrnoException if ringing the doorbell fails; the request stays queued, and the
     *     handler receives its completion. Do not post it again
     */
    public void send(SendWorkRequest request, WorkCompletion.Handler handler) throws RdmaException {
        if (!trySend(request, handler)) {
            throw new QueueFullException("send queue of " + qp, sends.capacity());
        }
    }

    /** Posts like {@link #send(SendWorkRequest, WorkCompletion.Handler)}, but returns false if the queue is full. */
    public boolean trySend(SendWorkRequest request, WorkCompletion.Handler handler) throws RdmaException {
        return dispatcher.tryPost(sends, request, handler);
    }

    /**
     * Posts like {@link #send(SendWorkRequest, WorkCompletion.Handler)}, but waits while the queue is full.
     *
     * @param limit the longest time to wait
     * @return true if the request was posted, false if the time elapsed
     * @throws IllegalStateException if called on the thread that runs the handlers, where it would deadlock: use {@link
     *     #whenSendable} there. An executor's thread is recognized only if it was set by {@link
     *     DispatcherOptions.Builder#handlersOn(java.util.concurrent.Executor, java.util.function.BooleanSupplier)}
     * @throws InterruptedException if the thread is interrupted; nothing was posted
     */
    public boolean send(SendWorkRequest request, WorkCompletion.Handler handler, Duration limit)
            throws RdmaException, InterruptedException {
        Objects.requireNonNull(handler, "handler");
        dispatcher.refuseToWait();
        return sends.post(request, handler, limit);
    }

    /**
     * Posts like {@link #send(SendWorkRequest, WorkCompletion.Handler)}, and returns a future instead of calling a
     * handler.
     *
     * @return a future of a copy of the completion, or of {@link WorkCompletionException} if the work request failed.
     *     Cancelling the future does not stop the device
     */
    public CompletableFuture<WorkCompletion> send(SendWorkRequest request) throws RdmaException {
        CompletableFuture<WorkCompletion> future = new CompletableFuture<>();
        send(request, completion -> complete(future, completion));
        return future;
    }

    /**
     * Runs {@code action} once on the handler thread when the send queue has room or the queue pair is closed. After a
     * close, requests that the action posts complete with {@link WorkCompletionStatus#WR_FLUSH_ERR}.
     *
     * <p>Actions run in the order of the calls until the room is used up, and before threads that wait in {@link
     * #send(SendWorkRequest, WorkCompletion.Handler, Duration)}. Another thread may use the room first: post with
     * {@link #trySend}, and call this method again if that returns false.
     */
    public void whenSendable(Runnable action) {
        Objects.requireNonNull(action, "action");
        if (sends.whenRoom(action)) {
            dispatcher.later(action);
        }
    }

    /**
     * Posts {@code request} to the receive queue; {@code handler} receives the completion.
     *
     * @throws QueueFullException if the queue is full; nothing was posted
     * @throws IllegalStateException if the queue pair is closed, is in RESET, or uses a shared receive queue: attach
     *     the shared receive queue and post to it instead
     */
    public void receive(ReceiveWorkRequest request, WorkCompletion.Handler handler) throws RdmaException {
        if (!tryReceive(request, handler)) {
            throw new QueueFullException("receive queue of " + qp, receives.capacity());
        }
    }

    /** Posts like {@link #receive(ReceiveWorkRequest, WorkCompletion.Handler)}; returns false if the queue is full. */
    public boolean tryReceive(ReceiveWorkRequest request, WorkCompletion.Handler handler) throws RdmaException {
        return dispatcher.tryPost(receives, request, handler);
    }

    /**
     * Posts like {@link #receive(ReceiveWorkRequest, WorkCompletion.Handler)}, and returns a future instead of calling
     * a handler.
     *
     * @return a future of a copy of the completion, or of {@link WorkCompletionException} if the work request failed
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
