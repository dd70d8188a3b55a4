// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import io.github.rdma4j.internal.verbs.Undo;
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
 * Dispatchers for more queue pairs than one completion queue has room for, or for more completions than one thread can take. Each
 * queue pair is attached to one {@link CompletionDispatcher}, which has a completion queue and a thread of its own, and the queue
 * pairs are spread evenly. Safe for use by several threads.
 *
 * <p>The first queue pairs on a device open a dispatcher each, until there are as many as {@link #open(int)} was told; the others go
 * to the dispatcher with the most room. When no dispatcher has room, a further dispatcher is opened, up to a limit. Each device
 * context has dispatchers of its own; when the device goes they end as {@link CompletionDispatcher} says.
 *
 * <p>The handlers of one queue pair run one at a time, in the order of the completions. Handlers of different queue pairs may run at
 * the same time. Shared receive queues are not for these dispatchers, because the receives would complete in all completion queues.
 *
 * <pre>{@code
 * CompletionDispatchers dispatchers = CompletionDispatchers.open(2);
 * AsyncQueuePair qp = dispatchers.create(pd.context(), QueuePairOptions.DEFAULT, pd::createQp);
 * }</pre>
 */
public final class CompletionDispatchers implements AutoCloseable {
    /** How many dispatchers there are on a device, at most, unless said otherwise. */
    public static final int MOST = 64;

    /** As many as soft-RoCE's largest completion queue holds, unless said otherwise. */
    private static final int COMPLETIONS = 32_767;

    private final int threads;
    private final int most;
    private final DispatcherOptions each;

    /** Guards what follows; held while a dispatcher is opened. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<DeviceContext, List<CompletionDispatcher>> dispatchers = new HashMap<>();
    private boolean closed;

    /** Makes a queue pair, such as {@code pd::createQp} or {@code id::createQp}. */
    @FunctionalInterface
    public interface Making {
        /** A queue pair by {@code options}, which name its completion queue. */
        QueuePair create(QueuePairOptions options) throws RdmaException;
    }

    private CompletionDispatchers(int threads, int most, DispatcherOptions each) {
        if (threads < 1 || most < threads) {
            throw new IllegalArgumentException(
                    threads + " threads, at most " + most + "; it must be 1 or more, and no more than the limit");
        }
        this.threads = threads;
        this.most = most;
        this.each = Objects.requireNonNull(each, "each");
    }

    /**
     * {@link #open(int, int, DispatcherOptions)} with at most {@link #MOST} dispatchers on a device, each for 32,767 completions or the
     * most that the device has.
     */
    public static CompletionDispatchers open(int threads) {
        return open(
                threads,
                Math.max(threads, MOST),
                DispatcherOptions.builder().completions(COMPLETIONS).build());
    }

    /**
     * Opens nothing yet.
     *
     * @param threads how many dispatchers the queue pairs of a device are spread over while these have room, 1 or more
     * @param most how many dispatchers a device may have when these have no room
     * @param each the options of each dispatcher. A device that has no completion queue for as many completions gives its largest, and
     *     the completion vector is that of the first dispatcher: the others take the vectors that follow
     */
    public static CompletionDispatchers open(int threads, int most, DispatcherOptions each) {
        return new CompletionDispatchers(threads, most, each);
    }

    /**
     * Has {@code making} make a queue pair that reports to one of the dispatchers, and attaches it there.
     *
     * @param context where the queue pair is to be
     * @param options without completion queues and without a shared receive queue
     * @throws IllegalArgumentException when the options name a completion queue or a shared receive queue
     * @throws IllegalStateException when this is closed, or no dispatcher has room and there are as many as there may be
     * @throws ErrnoException when the device can have no further completion queue, and what {@code making} throws
     */
    public AsyncQueuePair create(DeviceContext context, QueuePairOptions options, Making making) throws RdmaException {
        if (options.sendCq().isPresent()
                || options.receiveCq().isPresent()
                || options.srq().isPresent()) {
            throw new IllegalArgumentException("the options name a completion queue or a shared receive queue: leave it"
                    + " out, or use a CompletionDispatcher");
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
                () -> chosen.unreserve(requests));
    }

    private CompletionDispatcher reserve(DeviceContext context, int requests) throws RdmaException {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException(this + " is closed");
            }
            forgetThoseThatHaveEnded();
            List<CompletionDispatcher> there = dispatchers.getOrDefault(context, List.of());
            CompletionDispatcher chosen = there.size() < threads ? null : withRoom(there, requests);
            return chosen != null ? chosen : grow(context, there, requests);
        } finally {
            lock.unlock();
        }
    }

    /** The device, or the program, may end a dispatcher. */
    private void forgetThoseThatHaveEnded() {
        dispatchers.values().forEach(there -> there.removeIf(CompletionDispatcher::isClosed));
        dispatchers.values().removeIf(List::isEmpty);
    }

    private static @Nullable CompletionDispatcher withRoom(List<CompletionDispatcher> there, int requests) {
        return there.stream()
                .max(Comparator.comparingInt(CompletionDispatcher::room))
                .filter(roomiest -> roomiest.tryReserve(requests))
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
            if (!opened.tryReserve(requests)) {
                throw new IllegalStateException(opened + " holds fewer completions than were asked for");
            }
            return opened;
        } catch (ErrnoException refused) {
            CompletionDispatcher other = withRoom(there, requests);
            if (other == null) {
                throw new ErrnoException(
                        refused.operation(),
                        refused.errno(),
                        "It would be completion queue " + (there.size() + 1) + " of " + this + " on "
                                + context.device().name() + ": the device has no more, or none for " + requests
                                + " work requests. Lower maxSendWr and maxReceiveWr of the queue pairs");
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

    /** How many completion queues, and threads, there are now. */
    public int completionQueues() {
        lock.lock();
        try {
            forgetThoseThatHaveEnded();
            return dispatchers.values().stream().mapToInt(List::size).sum();
        } finally {
            lock.unlock();
        }
    }

    /** True once this closes or has closed. */
    public boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes all dispatchers, as {@link CompletionDispatcher#close()} does, and with them the queue pairs. Waits until that is done; in
     * a handler it takes effect when the handler returns. Idempotent; from any thread.
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
        // First all, then wait: the handlers of two dispatchers may close both.
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
