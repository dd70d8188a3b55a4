// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A group of dispatchers for more queue pairs than one completion queue has room for, or more completions than one
 * thread can handle. Each queue pair is attached to one {@link CompletionDispatcher}, and the queue pairs are spread
 * evenly. Safe for use by several threads.
 *
 * <p>On each device context, the first queue pairs each open a dispatcher, up to the number passed to {@link
 * #open(int)}. Later queue pairs are attached to the dispatcher with the most room. If no dispatcher has room, another
 * one is opened, up to a limit. When the device is removed, its dispatchers close as {@link CompletionDispatcher}
 * describes.
 *
 * <p>The handlers of one queue pair run one at a time, in the order of the completions. Handlers of different queue
 * pairs may run at the same time. Shared receive queues are not supported, because their receives would complete on
 * several completion queues.
 *
 * <pre>{@code
 * CompletionDispatchers dispatchers = CompletionDispatchers.open(2);
 * AsyncQueuePair qp = dispatchers.create(pd.context(), QueuePairOptions.DEFAULT, pd::createQp);
 * }</pre>
 */
public final class CompletionDispatchers implements AutoCloseable {
    /** The default maximum number of dispatchers per device. */
    public static final int MOST = 64;

    /** The default number of completions, the maximum of soft-RoCE. */
    private static final int COMPLETIONS = 32_767;

    private final int threads;
    private final int most;
    private final DispatcherOptions each;

    /** Guards the following fields; held while a dispatcher is opened. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<DeviceContext, List<CompletionDispatcher>> dispatchers = new HashMap<>();
    private boolean closed;

    /** A function that creates a queue pair, for example {@code pd::createQp} or {@code id::createQp}. */
    @FunctionalInterface
    public interface Making {
        /** Creates a queue pair with {@code options}, which specify its completion queue. */
        QueuePair create(QueuePairOptions options) throws RdmaException;
    }

    private CompletionDispatchers(int threads, int most, DispatcherOptions each) {
        if (threads < 1 || most < threads) {
            throw new IllegalArgumentException(
                    "threads is " + threads + " and most is " + most + "; threads must be from 1 to most");
        }
        this.threads = threads;
        this.most = most;
        this.each = Objects.requireNonNull(each, "each");
    }

    /**
     * Returns a group with at most {@link #MOST} dispatchers per device, or {@code threads} if that is more. Each
     * dispatcher holds 32,767 completions, or the device's maximum if that is less. Opens nothing yet.
     *
     * @param threads the number of dispatchers per device that share the queue pairs while they have room, 1 or more
     * @throws IllegalArgumentException if {@code threads} is less than 1
     */
    public static CompletionDispatchers open(int threads) {
        return open(
                threads,
                Math.max(threads, MOST),
                DispatcherOptions.builder().completions(COMPLETIONS).build());
    }

    /**
     * Returns a group without dispatchers; {@link #create} opens them.
     *
     * @param threads the number of dispatchers per device that share the queue pairs while they have room, 1 or more
     * @param most the limit of dispatchers per device, {@code threads} or more
     * @param each the options of each dispatcher. If the device supports fewer completions per queue, its maximum is
     *     used. The first dispatcher uses the given completion vector; the others use the vectors that follow
     * @throws IllegalArgumentException if {@code threads} is not from 1 to {@code most}
     */
    public static CompletionDispatchers open(int threads, int most, DispatcherOptions each) {
        return new CompletionDispatchers(threads, most, each);
    }

    /**
     * Creates a queue pair with {@code making}, and attaches it to one of the dispatchers.
     *
     * @param context the device context of the queue pair
     * @param options the options, without completion queues and without a shared receive queue
     * @throws IllegalArgumentException if the options specify a completion queue or a shared receive queue
     * @throws IllegalStateException if this is closed, or no dispatcher has room and the limit of dispatchers is
     *     reached
     * @throws ErrnoException if the device has no further completion queue, or if {@code making} throws it
     */
    public AsyncQueuePair create(DeviceContext context, QueuePairOptions options, Making making) throws RdmaException {
        if (options.sendCq().isPresent()
                || options.receiveCq().isPresent()
                || options.srq().isPresent()) {
            throw new IllegalArgumentException("the options set a completion queue or a shared receive queue: remove it"
                    + " or use a CompletionDispatcher");
        }
        int requests = options.maxSendWr() + options.maxReceiveWr();
        CompletionDispatcher chosen = reserve(context, requests);
        QueuePairOptions reporting =
                options.toBuilder().cq(chosen.completionQueue()).build();
        return Undo.onFailure(
                () -> {
                    QueuePair qp = making.create(reporting);
                    return Undo.onFailure(() -> chosen.attach(qp, requests), qp::close);
                },
                () -> chosen.table().unreserve(requests));
    }

    private CompletionDispatcher reserve(DeviceContext context, int requests) throws RdmaException {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException(this + " is closed");
            }
            removeEnded();
            List<CompletionDispatcher> there = dispatchers.getOrDefault(context, List.of());
            CompletionDispatcher chosen = there.size() < threads ? null : withRoom(there, requests);
            return chosen != null ? chosen : grow(context, there, requests);
        } finally {
            lock.unlock();
        }
    }

    /** Drops dispatchers that a device removal or the program has closed. */
    private void removeEnded() {
        dispatchers.values().forEach(there -> there.removeIf(CompletionDispatcher::isClosed));
        dispatchers.values().removeIf(List::isEmpty);
    }

    private static @Nullable CompletionDispatcher withRoom(List<CompletionDispatcher> there, int requests) {
        return there.stream()
                .max(Comparator.comparingInt(each -> each.table().room()))
                .filter(roomiest -> roomiest.table().tryReserve(requests))
                .orElse(null);
    }

    private CompletionDispatcher grow(DeviceContext context, List<CompletionDispatcher> there, int requests)
            throws RdmaException {
        if (there.size() >= most) {
            throw new IllegalStateException("none of the " + most + " completion queues of " + this + " on "
                    + context.device().name() + " has room for " + requests
                    + " more work requests in flight: raise the limit of dispatchers, or lower maxSendWr and"
                    + " maxReceiveWr of the queue pairs");
        }
        try {
            CompletionDispatcher opened = CompletionDispatcher.open(context, options(context, there.size(), requests));
            dispatchers.computeIfAbsent(context, none -> new ArrayList<>()).add(opened);
            if (!opened.table().tryReserve(requests)) {
                throw new IllegalStateException(opened + " holds fewer completions than requested, " + requests);
            }
            return opened;
        } catch (ErrnoException refused) {
            CompletionDispatcher other = withRoom(there, requests);
            if (other == null) {
                throw new ErrnoException(
                        refused.operation(),
                        refused.errno(),
                        "This would be completion queue " + (there.size() + 1) + " of " + this + " on "
                                + context.device().name() + ": the device has none left, or none that holds " + requests
                                + " completions. Lower maxSendWr and maxReceiveWr of the queue pairs");
            }
            return other;
        }
    }

    private DispatcherOptions options(DeviceContext context, int index, int requests) throws RdmaException {
        int largest = context.queryDevice().maxCqe();
        int vectors = Math.max(1, context.completionVectors());
        return each.toBuilder()
                .completions(Math.max(Math.min(each.completions(), largest), requests))
                .vector((each.vector() + index) % vectors)
                .build();
    }

    /** Returns the current number of completion queues, each with its thread. */
    public int completionQueues() {
        lock.lock();
        try {
            removeEnded();
            return dispatchers.values().stream().mapToInt(List::size).sum();
        } finally {
            lock.unlock();
        }
    }

    /** Returns true once this is closing or closed. */
    public boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes all dispatchers and their queue pairs as {@link CompletionDispatcher#close()} does. Waits until this is
     * done. A handler may call this method; its dispatcher then closes after the handler returns. Idempotent; safe to
     * call from any thread.
     */
    @Override
    public void close() {
        List<CompletionDispatcher> all;
        lock.lock();
        try {
            closed = true;
            all = dispatchers.values().stream().flatMap(Collection::stream).toList();
        } finally {
            lock.unlock();
        }
        // Ends all before waiting: handlers of two dispatchers may close both at once.
        all.forEach(CompletionDispatcher::end);
        if (all.stream().noneMatch(CompletionDispatcher::isHandlerThread)) {
            all.forEach(CompletionDispatcher::close);
        }
    }

    @Override
    public String toString() {
        return "CompletionDispatchers[" + threads + " to " + most + " on a device]";
    }
}
