// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.flight.QueueStatistics;
import io.github.rdma4j.internal.flight.QueueStatistics.QueueCounters;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.verbs.Limits;
import io.github.rdma4j.internal.verbs.Undo;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A ring of completions: one entry for each finished work request of the queue pairs that report to it ({@code
 * ibv_create_cq(3)}).
 *
 * <p>Created by {@link DeviceContext#createCq}. Polling makes no system call and allocates nothing. Several threads may poll;
 * each completion goes to one thread. Closing the completion queue closes the queue pairs that report to it first.
 *
 * <pre>{@code
 * int polled = cq.await(completions, limit);
 * if (polled == 0) {
 *     throw new IOException("no message in time");
 * }
 * for (int i = 0; i < polled; i++) {
 *     sum += buffer.getLong((int) completions[i].wrId() * 8);
 * }
 * received += polled;
 * }</pre>
 */
public final class CompletionQueue extends VerbsObject {
    private static final String RING_LOST =
            "the kernel writes to a ring that could not be taken over when the queue was"
                    + " resized. Close the queue and make a new one";
    private static final String OVERRUN =
            "the device had one more than the queue had room for. Make the queue larger: it needs"
                    + " the sum of maxSendWr and maxReceiveWr of its queue pairs";

    private final DeviceContext context;
    private final Created.Cq created;
    private final long cookie;
    private final CompletionRing ring;

    /** Null without a channel. */
    private final @Nullable CompletionWait waiting;

    /** Made once, so that a wait allocates nothing. */
    private final Command<CompletionQueue> arm = () -> armRing(false);

    /** Null unless a recording wants them; final, so that a poll pays for a look at it at most. */
    private final @Nullable QueueStatistics statistics = QueueStatistics.begin();

    private final @Nullable QueueCounters counters = QueueStatistics.counters(statistics);

    /** Serialises consumers, and keeps them out while the ring is retired. */
    private final QueueLock pollLock = new QueueLock();

    /** Why completions are missing, guarded by the lock; null unless some are. */
    private @Nullable String loss;

    private CompletionQueue(CompletionQueues.Made made, VerbsObject... parents) {
        super(parents);
        this.context = made.context();
        this.created = made.created();
        this.cookie = made.cookie();
        this.ring = made.ring();
        CompletionChannel channel = made.channel();
        this.waiting = channel == null ? null : new CompletionWait(this, channel);
    }

    static CompletionQueue create(DeviceContext context, int entries, int vector, @Nullable CompletionChannel channel)
            throws RdmaException {
        VerbsObject[] parents = channel == null ? new VerbsObject[] {context} : new VerbsObject[] {context, channel};
        return create(
                () -> CompletionQueues.Made.make(
                        context, entries, vector, channel, made -> new CompletionQueue(made, parents)),
                parents);
    }

    DeviceContext context() {
        return context;
    }

    int handle() {
        return created.handle();
    }

    /** What the provider made. */
    CompletionRing ring() {
        return ring;
    }

    /**
     * The number of completions that the queue holds. A completion beyond that number is lost and breaks its queue pair; the device
     * reports {@link AsyncEventType#CQ_ERR} then. The sum of {@link QueuePairOptions#maxSendWr()} and {@link
     * QueuePairOptions#maxReceiveWr()} of the queue pairs that report to the queue is enough as long as the program polls the completion
     * of a request before it posts the next one in its place.
     */
    public int capacity() {
        return ring.capacity();
    }

    /**
     * Changes the capacity to {@code entries} or more ({@code ibv_resize_cq(3)}); the completions that the queue holds stay.
     * Polling waits meanwhile.
     *
     * @param entries the least number of completions that the queue must hold
     * @throws ErrnoException EINVAL for fewer entries than the queue holds completions, or more than {@code DeviceAttr.maxCqe()}. When the
     *     call fails after the kernel has changed the queue, because the new ring cannot be mapped, the completions to come are
     *     lost: {@link #poll} and {@link #await(WorkCompletion[])} return what came before and throw IllegalStateException then
     * @throws IllegalArgumentException for less than 1 entry
     * @throws UnsupportedOperationException when the provider of the device's driver cannot resize completion queues; nothing
     *     has changed
     */
    public void resize(int entries) throws RdmaException {
        if (entries < 1) {
            throw new IllegalArgumentException("a completion queue of " + entries + " entries; it has 1 at least");
        }
        whileOpen(() -> {
            try {
                return resizeRing(entries);
            } finally {
                if (loss != null) {
                    lookAgain();
                }
            }
        });
    }

    private CompletionRing resizeRing(int entries) throws RdmaException {
        pollLock.lock();
        try {
            int asked = context.driver().entriesToRequest(entries);
            Creation<Created.Cq, CompletionRing> change = ring.resize(asked);
            @Nullable String before = loss;
            loss = RING_LOST; // as long as it is not certain to which ring the kernel writes
            Created.Cq granted;
            try {
                granted = Creating.create(change, () -> context.control().resizeCq(created.handle(), asked, change));
            } catch (ErrnoException refused) {
                loss = before;
                throw refused;
            }
            CompletionRing taken = Undo.onFailure(() -> change.finish(granted), () -> change.abandon(false));
            loss = before;
            return taken;
        } finally {
            pollLock.unlock();
        }
    }

    /** The device has reported that it had a completion for which there was no room. */
    void overrun() {
        pollLock.lock();
        try {
            loss = OVERRUN;
        } finally {
            pollLock.unlock();
        }
        lookAgain();
    }

    /**
     * Takes at most {@code into.length} completions, the oldest first, and returns their number, which may be 0. Does not
     * wait. A null element ends the array.
     *
     * @throws IllegalStateException when the queue is closed; when the queue is empty and is known to have lost completions: after a
     *     {@link #resize} that failed half-way, and after {@link AsyncEventType#CQ_ERR} was taken from {@link
     *     DeviceContext#awaitAsyncEvent}
     * @throws NullPointerException when there is a completion and the first element is null; the completion stays in the queue
     */
    public int poll(WorkCompletion[] into) {
        pollLock.lock();
        try {
            ensureOpen();
            int polled = ring.poll(into, WorkCompletion.SINK);
            if (polled == 0 && loss != null) {
                throw new IllegalStateException(this + " has lost completions: " + loss);
            }
            if (counters != null) {
                counters.polled(polled);
            }
            return polled;
        } finally {
            pollLock.unlock();
        }
    }

    /**
     * The number of entries that polling has passed over since the queue was made: entries that the device has written and that
     * belong to no queue pair or posted work request, or have no known meaning. Such an entry completes nothing and is lost. The
     * number is 0 as long as device, driver and this library agree; log it when completions are missing. The drivers mlx5 and
     * vmw_pvrdma check their entries; for others the number is always 0.
     *
     * @throws IllegalStateException when the queue is closed
     */
    public long ignoredEntries() {
        pollLock.lock();
        try {
            ensureOpen();
            return ring.ignored();
        } finally {
            pollLock.unlock();
        }
    }

    /**
     * Takes completions as {@link #poll} does, and waits for the first one without limit.
     *
     * @return the number of completions, at least 1
     * @throws IllegalStateException when the queue is closed, or was created without a completion channel
     * @throws io.github.rdma4j.kernel.ClosedWhileWaitingException when another thread closed the queue meanwhile
     * @throws InterruptedException when the queue was empty and the thread was interrupted before or while it waited
     */
    public int await(WorkCompletion[] into) throws RdmaException, InterruptedException {
        int polled = pollFirst(into);
        return polled > 0 ? polled : waiting().await(into, Long.MAX_VALUE);
    }

    /**
     * Takes completions as {@link #poll} does, and waits at most {@code limit} for the first one. Needs a queue that was
     * created with a completion channel. As long as the queue holds completions, the method makes no system call and
     * allocates nothing; on an empty queue it requests an event of the channel and sleeps.
     *
     * <p>Several threads may wait for one queue, and for several queues on one channel: each event reaches the queue it
     * belongs to, and an event that was requested with {@link #requestNotification} reaches {@link
     * CompletionChannel#awaitEvent()}. Closing the queue or the channel ends the wait. The removal of the device
     * does not end it where the driver keeps a removed device until its users have closed it, as rxe does: only the
     * DEVICE_REMOVAL event of a CM id tells. Wait for the event channel of the id as well then, with {@link
     * #await(WorkCompletion[], Deadline, Pollable...)}.
     *
     * @param into completions to fill, at least one
     * @param limit {@link Duration#ZERO} polls without waiting
     * @return the number of completions; 0 when the time ran out
     * @throws IllegalStateException when the queue is closed, or was created without a completion channel
     * @throws io.github.rdma4j.kernel.ClosedWhileWaitingException when another thread closed the queue meanwhile
     * @throws InterruptedException when the queue was empty and the thread was interrupted before or while it waited
     */
    public int await(WorkCompletion[] into, Duration limit) throws RdmaException, InterruptedException {
        int polled = pollFirst(into);
        return polled > 0 ? polled : waiting().await(into, Limits.nanos(limit));
    }

    /**
     * Waits as {@link #await(WorkCompletion[], Duration)} does, and also ends when one of {@code others} has an event, such
     * as the {@code EventChannel} of a CM id that may report the end of the connection or the removal of the device.
     * The event stays where it is.
     *
     * @return the number of completions; 0 when one of {@code others} has an event or the time ran out: {@link
     *     Deadline#expired()} tells the two apart
     * @throws IllegalStateException when the queue or one of {@code others} is closed, or the queue was created without a
     *     completion channel
     * @throws io.github.rdma4j.kernel.ClosedWhileWaitingException when another thread closed one of them meanwhile
     * @throws InterruptedException when the queue was empty and the thread was interrupted before or while it waited
     */
    public int await(WorkCompletion[] into, Deadline deadline, Pollable... others)
            throws RdmaException, InterruptedException {
        int polled = pollFirst(into);
        return polled > 0 ? polled : waiting().await(into, deadline, others);
    }

    /**
     * Waits without limit, and also ends when {@code others} holds; who makes it hold wakes those who wait for the channel.
     * Allocates nothing.
     */
    int await(WorkCompletion[] into, BooleanSupplier others) throws RdmaException, InterruptedException {
        int polled = pollFirst(into);
        return polled > 0 ? polled : waiting().await(into, others);
    }

    private int pollFirst(WorkCompletion[] into) {
        waiting();
        if (into.length == 0) {
            throw new IllegalArgumentException("an array of no completions: at least 1 is needed");
        }
        return poll(into);
    }

    private CompletionWait waiting() {
        if (waiting == null) {
            throw new IllegalStateException(this
                    + " was made without a completion channel: nothing would be notified. Give createCq a channel");
        }
        return waiting;
    }

    /** Called for each event of the queue that was read from its channel; true when the channel's user requested it. */
    boolean notified() {
        eventTaken();
        return waiting().notified();
    }

    /** There may be something to poll of which the kernel knows nothing: who waits for an event has one. */
    void lookAgain() {
        // The requests were written before this, and are read by a thread that has requested an event before.
        VarHandle.fullFence();
        if (waiting != null && waiting.wantsEvent()) {
            waiting.handOver();
        }
    }

    /** Before the next request of an event, which may depend on the number of events that were taken. */
    private void eventTaken() {
        pollLock.lock();
        try {
            if (!isClosed()) {
                ring.eventTaken();
            }
        } finally {
            pollLock.unlock();
        }
    }

    /** A queue pair that reports here is gone, or begins anew. */
    void forget(QueueRings queues) {
        pollLock.lock();
        try {
            ring.forget(queues);
        } finally {
            pollLock.unlock();
        }
    }

    /** As {@link #forget(QueueRings)}, for a shared receive queue of XRC. */
    void forget(SharedReceiveRing shared) {
        pollLock.lock();
        try {
            ring.forget(shared);
        } finally {
            pollLock.unlock();
        }
    }

    /**
     * Requests one event on the channel for the next completion ({@code ibv_req_notify_cq(3)}), to be awaited with {@link
     * CompletionChannel#awaitEvent()}; {@link #await} does both. Completions that are in the queue already cause no event:
     * arm, poll until the queue is empty, then wait.
     *
     * @param solicitedOnly true for an event only for a message sent as {@link SendWorkRequest#solicited()}, or an error
     */
    public void requestNotification(boolean solicitedOnly) throws RdmaException {
        waiting().requested();
        whileOpen(() -> armRing(solicitedOnly));
    }

    /** As {@link #requestNotification} for any completion, for {@link #await}; allocates nothing. */
    void arm() throws RdmaException {
        whileOpen(arm);
    }

    private CompletionQueue armRing(boolean solicitedOnly) throws RdmaException {
        pollLock.lock();
        try {
            ring.arm(solicitedOnly);
            return this;
        } finally {
            pollLock.unlock();
        }
    }

    @Override
    void destroy() throws RdmaException {
        context.forget(cookie);
        if (waiting != null) {
            waiting.end();
        }
        pollLock.lock();
        try {
            destroyRing();
        } finally {
            pollLock.unlock();
        }
    }

    private void destroyRing() throws RdmaException {
        boolean destroyed = false;
        try {
            context.control().destroyCq(created.handle());
            destroyed = true;
        } finally {
            ring.retire(destroyed);
            QueueStatistics.end(statistics, "CompletionQueue", context.device().name(), created.handle());
        }
    }

    @Override
    public String toString() {
        return "CompletionQueue[" + context.device().name() + ", handle=" + created.handle() + "]";
    }
}
