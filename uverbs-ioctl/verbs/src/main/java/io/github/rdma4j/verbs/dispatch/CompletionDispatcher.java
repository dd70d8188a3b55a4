// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.internal.verbs.InnerVerbs;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.WorkCompletionException;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.util.Objects;

/**
 * A completion queue with a thread that passes each completion to the handler or the future of its work request. Serves
 * any number of queue pairs. Safe for use by several threads.
 *
 * <p>Create queue pairs with {@link #completionQueue()} for both of their queues, attach them, and post through the
 * object that {@link #attach} returns. The completion queue cannot overflow: together, the attached queues never have
 * more work requests in flight than it holds.
 *
 * <p>The thread polls for at most the time set by {@link DispatcherOptions.Builder#spin} before it sleeps. Handlers run
 * on this thread, or on the executor set by {@link DispatcherOptions.Builder#handlersOn}, one at a time, in the order
 * of the completions. A handler may post, attach and close any object, and may call {@link #close()}. It must not
 * block, because all other completions wait for it. An exception that a handler throws goes to the uncaught exception
 * handler, except {@link WorkCompletionException} for a request that was flushed because its queue was closed.
 * Delivering a completion allocates nothing, unless a future or an executor is used. If the kernel is out of memory, or
 * the process out of descriptors, the thread reports this once, retries, and loses no completion.
 *
 * <p>Every handler is called and every future is completed. Closing a queue pair completes its requests in flight with
 * {@link WorkCompletionStatus#WR_FLUSH_ERR}. Closing the dispatcher closes its completion queue and the queue pairs
 * that report to it. Interrupting its thread or removing the device has the same effect, even if no queue pair is
 * attached: see {@link DeviceContext#closeWhenRemoved}. Close the connections when their CM ids report DEVICE_REMOVAL.
 *
 * <pre>{@code
 * AsyncQueuePair qp = dispatcher.attach(pair);
 * ...
 * qp.receive(request, completion -> {
 *     if (!completion.isSuccess()) {
 *         return; // the end of the connection
 *     }
 *     sum += buffer.getLong((int) completion.wrId() * 8);
 *     receive(qp, region, slot);
 * ...
 * });
 * ...
 * CompletableFuture<WorkCompletion> first = qp.send(message);
 * }</pre>
 */
public final class CompletionDispatcher implements AutoCloseable {
    private final CompletionQueue cq;
    private final SlotTable table;
    private final DispatchLoop loop;

    private CompletionDispatcher(CompletionQueue cq, SlotTable table, DispatchLoop loop) {
        this.cq = cq;
        this.table = table;
        this.loop = loop;
    }

    /**
     * Opens a dispatcher as {@link #open(DeviceContext, DispatcherOptions)} does, with {@link
     * DispatcherOptions#DEFAULT}.
     */
    public static CompletionDispatcher open(DeviceContext context) throws RdmaException {
        return open(context, DispatcherOptions.DEFAULT);
    }

    /**
     * Creates a completion queue and its completion channel on {@code context}, and starts the thread. Close the
     * dispatcher after use.
     *
     * @throws RdmaException as for {@link DeviceContext#createCq(int, int, CompletionChannel)}
     */
    public static CompletionDispatcher open(DeviceContext context, DispatcherOptions options) throws RdmaException {
        CompletionChannel channel = context.createCompletionChannel();
        return Undo.onFailure(
                () -> {
                    CompletionQueue cq = context.createCq(options.completions(), options.vector(), channel);
                    SlotTable table = new SlotTable(cq.capacity());
                    DispatchLoop loop = new DispatchLoop(context, cq, channel, table, options);
                    loop.endWithDevice();
                    options.thread().execute(loop);
                    return new CompletionDispatcher(cq, table, loop);
                },
                channel::close);
    }

    /** Returns the completion queue, for {@link QueuePairOptions.Builder#cq}. Only the dispatcher polls it. */
    public CompletionQueue completionQueue() {
        return cq;
    }

    /**
     * Attaches {@code qp}, so that this dispatcher delivers its completions. Attach each queue pair once, before
     * posting to it.
     *
     * @throws IllegalArgumentException if a queue of {@code qp} does not report to {@link #completionQueue()}
     * @throws IllegalStateException if the completion queue has no room for all work requests that {@code qp} may have
     *     in flight: raise {@link DispatcherOptions.Builder#completions}, or use {@link CompletionDispatchers}
     */
    public AsyncQueuePair attach(QueuePair qp) {
        requireToReport(qp);
        int requests = requests(qp);
        table.reserve(requests);
        try {
            return enter(qp);
        } catch (Throwable e) {
            table.unreserve(requests);
            throw e;
        }
    }

    private void requireToReport(QueuePair qp) {
        if (!InnerVerbs.door().reportsOnlyTo(qp, cq)) {
            throw new IllegalArgumentException(qp + " does not report only to " + cq
                    + ": create it with QueuePairOptions.builder().cq(dispatcher.completionQueue())");
        }
    }

    private static int requests(QueuePair qp) {
        return qp.capacities().maxSendWr() + qp.capacities().maxReceiveWr();
    }

    /**
     * Enters the slots of {@code qp}, for which room is reserved. A failure leaves no slots, and keeps the reservation.
     */
    private AsyncQueuePair enter(QueuePair qp) {
        QpCap cap = qp.capacities();
        RequestSlots<SendWorkRequest> sending = table.enter(tag -> RequestSlots.ofSends(qp, cap.maxSendWr(), tag));
        RequestSlots<ReceiveWorkRequest> receiving = null;
        try {
            RequestSlots<ReceiveWorkRequest> entered =
                    table.enter(tag -> RequestSlots.ofReceives(qp, cap.maxReceiveWr(), tag));
            receiving = entered;
            AsyncQueuePair attached = new AsyncQueuePair(qp, this, sending, entered);
            InnerVerbs.door().onDestroy(qp, destroyed -> {
                leave(sending, destroyed);
                leave(entered, destroyed);
            });
            return attached;
        } catch (Throwable e) {
            table.withdraw(sending);
            if (receiving != null) {
                table.withdraw(receiving);
            }
            throw e;
        }
    }

    /** Returns the table in which room for work requests is reserved. */
    SlotTable table() {
        return table;
    }

    /**
     * Attaches {@code qp} using room reserved for {@code reserved} requests, and returns the excess room. A failure
     * keeps the reservation.
     */
    AsyncQueuePair attach(QueuePair qp, int reserved) {
        requireToReport(qp);
        AsyncQueuePair attached = enter(qp);
        table.unreserve(reserved - requests(qp));
        return attached;
    }

    /**
     * Attaches {@code srq}, so that this dispatcher delivers the completions of its receives. The queue pairs that use
     * {@code srq} must report to {@link #completionQueue()}, and must be attached for their sends. Attach a shared
     * receive queue once, before posting to it.
     *
     * <p>A receive that a queue pair took but did not complete before it was closed completes when {@code srq} is
     * closed.
     *
     * @throws IllegalArgumentException if {@code srq} belongs to an XRC domain and was not created with {@link
     *     #completionQueue()}
     * @throws IllegalStateException if the completion queue has no room for all receives of {@code srq}
     */
    public AsyncReceiveQueue attach(SharedReceiveQueue srq) {
        if (!InnerVerbs.door().mayReportTo(srq, cq)) {
            throw new IllegalArgumentException("the receives of " + srq + " do not complete in " + cq
                    + ": create it with XrcDomain.createSrq(pd, dispatcher.completionQueue(), options)");
        }
        table.reserve(srq.capacity());
        RequestSlots<ReceiveWorkRequest> slots = table.enter(tag -> RequestSlots.ofReceives(srq, tag));
        InnerVerbs.door().onDestroy(srq, destroyed -> leave(slots, destroyed));
        return new AsyncReceiveQueue(srq, this, slots);
    }

    /**
     * Called when the queue was destroyed: flushes its requests on the handler thread, after delivering the requests
     * that completed.
     */
    private void leave(RequestSlots<?> slots, boolean destroyed) {
        slots.end(destroyed);
        loop.execute(() -> {
            loop.flush(slots);
            table.remove(slots);
        });
    }

    /**
     * Posts a request; returns false if the queue is full. A request that a handler posts to a closed queue completes
     * as flushed.
     */
    <R> boolean tryPost(RequestSlots<R> slots, R request, WorkCompletion.Handler handler) throws RdmaException {
        Objects.requireNonNull(handler, "handler");
        try {
            return slots.tryPost(request, handler);
        } catch (RequestSlots.ClosedQueueException e) {
            if (!isHandlerThread() || loop.isFlushing()) {
                throw e;
            }
            loop.flush(slots, request, handler);
            return true;
        }
    }

    void later(Runnable action) {
        loop.execute(action);
    }

    void refuseToWait() {
        if (isHandlerThread() || loop.isThreadOfHandlers()) {
            throw new IllegalStateException(
                    "the handler thread of " + this + " cannot wait for room: use trySend and whenSendable");
        }
    }

    /** Returns true if the calling thread is running a handler of this dispatcher, and so must not block. */
    public boolean isHandlerThread() {
        return loop.isHandlerThread();
    }

    /** Returns true once the dispatcher is closing or closed, for whatever reason. */
    public boolean isClosed() {
        return loop.isStopping();
    }

    /** Starts to close without waiting. */
    void end() {
        loop.end();
    }

    /**
     * Closes the completion queue and the queue pairs that report to it, completes their requests in flight, and ends
     * the thread. Waits until this is done. A handler may call this method; the dispatcher then closes after the
     * handler returns. Failures go to the uncaught exception handler. Idempotent; safe to call from any thread.
     */
    @Override
    public void close() {
        loop.close();
    }

    @Override
    public String toString() {
        return "CompletionDispatcher[" + cq + (isClosed() ? ", closed" : "") + "]";
    }
}
