// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import io.github.rdma4j.internal.verbs.InnerVerbs;
import io.github.rdma4j.internal.verbs.Undo;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.WorkCompletionException;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.util.Objects;

/**
 * A completion queue with a thread that takes its completions, and gives each one to the handler or the future of its work
 * request. Any number of queue pairs may report to it. Safe for use by several threads.
 *
 * <p>Make queue pairs with {@link #completionQueue()} for both of their queues, attach them, and post through what {@link
 * #attach} returns. The completion queue cannot overflow: together the attached queues have no more work requests in flight
 * than it holds.
 *
 * <p>The thread polls for a while before it sleeps, as {@link DispatcherOptions.Builder#spin} says. Handlers run on it, or on
 * {@link DispatcherOptions.Builder#handlersOn}, one at a time, in the order of the completions. A handler may post, attach and
 * close anything, {@link #close()} included, and must not wait: the other completions wait for it. What a handler throws goes to
 * the handler of uncaught exceptions, except {@link WorkCompletionException} for a request that was flushed because its queue was
 * closed. A completion allocates nothing, unless a future or an executor is used. A lack of memory or descriptors in the thread
 * is reported once until it is over, and loses nothing.
 *
 * <p>Every handler is called and every future is completed, whatever ends first. Closing a queue pair completes what it still
 * had in flight with {@link WorkCompletionStatus#WR_FLUSH_ERR}; closing the dispatcher closes its completion queue and with it
 * the queue pairs that report to it; so does the end of its thread by an interrupt. A dispatcher ends in the same way when the
 * kernel begins to remove the device, also while it has no queue pair: see {@link DeviceContext#closeWhenRemoved}. Close the
 * connections when their CM ids report DEVICE_REMOVAL.
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

    /** {@link #open(DeviceContext, DispatcherOptions)} with the default options. */
    public static CompletionDispatcher open(DeviceContext context) throws RdmaException {
        return open(context, DispatcherOptions.DEFAULT);
    }

    /**
     * Creates a completion queue on {@code context}, with a channel of its own, and starts the thread.
     *
     * @throws RdmaException as {@link DeviceContext#createCq(int, int, CompletionChannel)} does
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

    /** The completion queue, for {@link QueuePairOptions.Builder#cq}. Only the dispatcher polls it. */
    public CompletionQueue completionQueue() {
        return cq;
    }

    /**
     * Takes the completions of {@code qp} from now on. Attach it before anything is posted to it, and once.
     *
     * @throws IllegalArgumentException when a queue of {@code qp} does not report to {@link #completionQueue()}
     * @throws IllegalStateException when the completion queue has no room for all work requests that {@code qp} may have in
     *     flight: raise {@link DispatcherOptions.Builder#completions}, or use {@link CompletionDispatchers}
     */
    public AsyncQueuePair attach(QueuePair qp) {
        requireToReport(qp);
        table.reserve(requests(qp));
        return enter(qp);
    }

    private void requireToReport(QueuePair qp) {
        if (!InnerVerbs.door().reportsOnlyTo(qp, cq)) {
            throw new IllegalArgumentException(qp + " does not report to " + cq
                    + " alone: create it with QueuePairOptions.builder().cq(dispatcher.completionQueue())");
        }
    }

    private static int receives(QueuePair qp) {
        return InnerVerbs.door().hasReceiveQueue(qp) ? qp.capacities().maxReceiveWr() : 0;
    }

    private static int requests(QueuePair qp) {
        return qp.capacities().maxSendWr() + receives(qp);
    }

    private AsyncQueuePair enter(QueuePair qp) {
        QpCap cap = qp.capacities();
        SendSlots sending = table.enter(tag -> new SendSlots(qp, cap.maxSendWr(), tag));
        ReceiveSlots receiving = table.enter(tag -> ReceiveSlots.of(qp, receives(qp), tag));
        InnerVerbs.door().onDestroy(qp, destroyed -> {
            leave(sending, destroyed);
            leave(receiving, destroyed);
        });
        return new AsyncQueuePair(qp, this, sending, receiving);
    }

    /** How many more work requests may be in flight. */
    int room() {
        return table.room();
    }

    /** Sets room for {@code requests} aside; false when there is not as much. */
    boolean tryReserve(int requests) {
        return table.tryReserve(requests);
    }

    /** Room that was set aside is not needed. */
    void unreserve(int requests) {
        table.unreserve(requests);
    }

    /** As {@link #attach(QueuePair)}, in room for {@code reserved} requests, of which what is left over is given back. */
    AsyncQueuePair attach(QueuePair qp, int reserved) {
        requireToReport(qp);
        AsyncQueuePair attached = enter(qp);
        table.unreserve(reserved - requests(qp));
        return attached;
    }

    /**
     * Takes the completions of the receives of {@code srq} from now on, whichever queue pair they come from; these must report
     * to {@link #completionQueue()} and be attached for their sends. Attach the queue before anything is posted to it, and once.
     *
     * <p>A receive that a queue pair has taken and not completed when the queue pair was closed completes when {@code srq} is
     * closed.
     *
     * @throws IllegalArgumentException when {@code srq} is of an XRC domain and was not made with {@link #completionQueue()}
     * @throws IllegalStateException when the completion queue has no room for all receives of {@code srq}
     */
    public AsyncReceiveQueue attach(SharedReceiveQueue srq) {
        if (!InnerVerbs.door().mayReportTo(srq, cq)) {
            throw new IllegalArgumentException("the receives of " + srq + " do not complete in " + cq
                    + ": create it with XrcDomain.createSrq(pd, dispatcher.completionQueue(), options)");
        }
        table.reserve(srq.capacity());
        ReceiveSlots slots = table.enter(tag -> ReceiveSlots.of(srq, tag));
        InnerVerbs.door().onDestroy(srq, destroyed -> leave(slots, destroyed));
        return new AsyncReceiveQueue(srq, this, slots);
    }

    /** The queue is gone: what it had in flight is flushed, by the thread of the handlers, after what it has completed. */
    private void leave(RequestSlots<?> slots, boolean destroyed) {
        slots.end(destroyed);
        loop.execute(() -> {
            loop.flush(slots);
            table.remove(slots);
        });
    }

    /** False when there is no room. What a handler posts to a queue that was closed meanwhile completes as flushed. */
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
                    "the thread of the handlers of " + this + " would wait for itself: use trySend and whenSendable");
        }
    }

    /** Whether the caller is a handler of this dispatcher, which must not wait. */
    public boolean isHandlerThread() {
        return loop.isHandlerThread();
    }

    /** True once the dispatcher ends or has ended, whatever ended it. */
    public boolean isClosed() {
        return loop.isStopping();
    }

    /** Begins to close, and does not wait. */
    void end() {
        loop.end();
    }

    /**
     * Closes the completion queue, with it the queue pairs that report to it, completes what they had in flight, and ends the
     * thread. Waits until that is done; in a handler it takes effect when the handler returns. Failures go to the handler of
     * uncaught exceptions. Idempotent; from any thread.
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
