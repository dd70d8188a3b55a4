// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.flight.QueueStatistics;
import io.github.rdma4j.internal.flight.QueueStatistics.QueueCounters;
import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.internal.verbs.Limits;
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
 * A ring of completions, one for each finished work request of its queue pairs ({@code ibv_create_cq(3)}).
 *
 * <p>Created by {@link DeviceContext#createCq}. Polling makes no system call and allocates nothing. Several threads may
 * poll; each completion is returned to one thread. Closing the completion queue first closes the queue pairs that
 * report to it.
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
            "the kernel writes to a new ring that could not be mapped when the queue was resized. Close the queue and create a new one";
    private static final String OVERRUN =
            "the device had a completion for which the queue had no room. Create the queue with more entries: it"
                    + " needs the sum of maxSendWr and maxReceiveWr of its queue pairs";

    private final DeviceContext context;
    private final Created.Cq created;
    private final long cookie;
    private final CompletionRing ring;

    /** Null without a channel. */
    private final @Nullable CompletionWait waiting;

    /** Created once, so that a wait allocates nothing. */
    private final Undo.Making<CompletionQueue> arm = () -> armRing(false);

    /** Null unless a recording is active; final, so that a poll costs at most one null check. */
    private final @Nullable QueueStatistics statistics = QueueStatistics.begin();

    private final @Nullable QueueCounters counters = QueueStatistics.counters(statistics);

    /** Serialises consumers, and keeps them out while the ring is retired. */
    private final QueueLock pollLock = new QueueLock();

    /** The reason why completions are missing; null if none are. Guarded by {@link #pollLock}. */
    private @Nullable String loss;

    private CompletionQueue(
            DeviceContext context,
            @Nullable CompletionChannel channel,
            Created.Cq created,
            long cookie,
            CompletionRing ring) {
        super(parents(context, channel));
        this.context = context;
        this.created = created;
        this.cookie = cookie;
        this.ring = ring;
        this.waiting = channel == null ? null : new CompletionWait(this, channel);
    }

    private static VerbsObject[] parents(DeviceContext context, @Nullable CompletionChannel channel) {
        return channel == null ? new VerbsObject[] {context} : new VerbsObject[] {context, channel};
    }

    static CompletionQueue create(DeviceContext context, int entries, int vector, @Nullable CompletionChannel channel)
            throws RdmaException {
        return create(() -> make(context, entries, vector, channel), parents(context, channel));
    }

    /** Makes the kernel and the provider create a completion queue for at least {@code wanted} completions. */
    private static CompletionQueue make(
            DeviceContext context, int wanted, int vector, @Nullable CompletionChannel channel) throws RdmaException {
        ControlPath control = context.control();
        KernelFd events = channel == null ? null : KernelFd.of(channel);
        long cookie = context.newCookie();
        int entries = context.driver().entriesToRequest(wanted);
        Creating.Command<Created.Cq> command = DeviceLimits.named(
                control,
                wanted,
                vector,
                context.completionVectors(),
                driver -> control.createCq(entries, vector, cookie, events, driver));
        return Creating.make(
                () -> context.driver().completionQueue(entries),
                new Creating.Steps<>(
                        LockedMemory.explained(context.kernel(), command),
                        created -> control.destroy(ControlPath.Kind.CQ, created.handle()),
                        CompletionRing::retire),
                (created, ring) -> {
                    CompletionQueue cq = new CompletionQueue(context, channel, created, cookie, ring);
                    context.remember(cookie, cq);
                    return cq;
                });
    }

    DeviceContext context() {
        return context;
    }

    int handle() {
        return created.handle();
    }

    /** Returns the ring that the provider created. */
    CompletionRing ring() {
        return ring;
    }

    /**
     * Returns the capacity in completions. A completion beyond it is lost and breaks its queue pair, and the device
     * reports {@link AsyncEventType#CQ_ERR}. The sum of {@link QueuePairOptions#maxSendWr()} and
     * {@link QueuePairOptions#maxReceiveWr()} of the queue pairs that report to the queue suffices if the program polls
     * the completion of a request before it posts another request in its place.
     */
    public int capacity() {
        return ring.capacity();
    }

    /**
     * Changes the capacity to at least {@code entries} ({@code ibv_resize_cq(3)}). Completions in the queue are kept.
     * Polling waits during the call.
     *
     * @param entries the minimum number of completions that the queue can hold, 1 or more
     * @throws ErrnoException EINVAL if {@code entries} is less than the number of completions in the queue or more than
     *     {@code DeviceAttr.maxCqe()}. If the new ring cannot be mapped after the kernel has changed the queue, later
     *     completions are lost: {@link #poll} and {@link #await(WorkCompletion[])} return the earlier completions and
     *     then throw IllegalStateException
     * @throws IllegalArgumentException if {@code entries} is less than 1
     * @throws UnsupportedOperationException if the provider cannot resize completion queues; the queue is unchanged
     */
    public void resize(int entries) throws RdmaException {
        if (entries < 1) {
            throw new IllegalArgumentException("a completion queue of " + entries + " entries; the minimum is 1");
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
            ControlPath control = context.control();
            int asked = context.driver().entriesToRequest(entries);
            Creating.Command<Created.Cq> command =
                    DeviceLimits.named(control, entries, driver -> control.resizeCq(created.handle(), asked, driver));
            @Nullable String before = loss;
            Creation<Created.Cq, CompletionRing> change = ring.resize(asked);
            loss = RING_LOST; // until it is certain which ring the kernel writes to
            Created.Cq granted;
            try {
                granted = Creating.create(change, command);
            } catch (ErrnoException refused) {
                loss = before;
                throw refused;
            }
            boolean done = false;
            try {
                CompletionRing taken = change.finish(granted);
                done = true;
                loss = before;
                return taken;
            } finally {
                if (!done) {
                    change.abandon(false);
                }
            }
        } finally {
            pollLock.unlock();
        }
    }

    /** Records that the device had a completion for which there was no room. */
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
     * Takes at most {@code into.length} completions, oldest first, without waiting. A null element ends the array.
     *
     * @return the number of completions taken, which may be 0
     * @throws IllegalStateException if the queue is closed, or if it is empty and is known to have lost completions:
     *     after a {@link #resize} that failed half-way, or after {@link DeviceContext#awaitAsyncEvent} returned
     *     {@link AsyncEventType#CQ_ERR}
     * @throws NullPointerException if there is a completion and the first element is null; the completion stays in the
     *     queue
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
     * Returns the number of entries that polling has skipped since the queue was created. The device wrote these
     * entries, but they belong to no queue pair or posted work request, or have no known meaning. A skipped entry
     * completes nothing and is lost. The number is 0 unless device, driver and this library disagree; log it when
     * completions are missing. The providers of rxe and siw do not check their entries: their number is always 0.
     *
     * @throws IllegalStateException if the queue is closed
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
     * Takes completions like {@link #await(WorkCompletion[], Duration)}, but without a time limit.
     *
     * @return the number of completions, at least 1
     */
    public int await(WorkCompletion[] into) throws RdmaException, InterruptedException {
        int polled = pollFirst(into);
        return polled > 0 ? polled : waiting().await(into, Long.MAX_VALUE);
    }

    /**
     * Takes completions like {@link #poll}, but waits at most {@code limit} for the first one. The queue must have been
     * created with a completion channel. While the queue holds completions, the method makes no system call and
     * allocates nothing. On an empty queue, it requests a channel event and sleeps.
     *
     * <p>Several threads may wait for one queue, or for several queues of one channel. Each event reaches the queue it
     * belongs to, and an event requested with {@link #requestNotification} reaches
     * {@link CompletionChannel#awaitEvent()}. Closing the queue or the channel ends the wait. The removal of the device
     * does not end the wait if the driver keeps a removed device until its users have closed it, as rxe does. Only the
     * DEVICE_REMOVAL event of a CM id reports that removal: wait for the event channel of the id as well, with
     * {@link #await(WorkCompletion[], Deadline, Pollable...)}.
     *
     * @param into the completions to fill, at least one
     * @param limit the maximum wait; {@link Duration#ZERO} polls without waiting
     * @return the number of completions; 0 if the time limit expired
     * @throws IllegalStateException if the queue is closed, or was created without a completion channel
     * @throws io.github.rdma4j.kernel.ClosedWhileWaitingException if another thread closes the queue during the wait
     * @throws InterruptedException if the queue is empty and the thread is interrupted before or during the wait
     */
    public int await(WorkCompletion[] into, Duration limit) throws RdmaException, InterruptedException {
        int polled = pollFirst(into);
        return polled > 0 ? polled : waiting().await(into, Limits.nanos(limit));
    }

    /**
     * Waits like {@link #await(WorkCompletion[], Duration)}, but also returns when one of {@code others} has an event.
     * An example is the {@code EventChannel} of a CM id, which reports the end of the connection and the removal of the
     * device. The event is not consumed.
     *
     * @return the number of completions; 0 if one of {@code others} has an event or {@link Deadline#expired()} is true
     * @throws IllegalStateException if the queue or one of {@code others} is closed, or the queue has no channel
     * @throws io.github.rdma4j.kernel.ClosedWhileWaitingException if another thread closes one of them during the wait
     */
    public int await(WorkCompletion[] into, Deadline deadline, Pollable... others)
            throws RdmaException, InterruptedException {
        int polled = pollFirst(into);
        return polled > 0 ? polled : waiting().await(into, deadline, others);
    }

    /**
     * Waits without a time limit for completions or until {@code others} returns true. The code that makes
     * {@code others} true must wake the waiters of the channel. Allocates nothing.
     */
    int await(WorkCompletion[] into, BooleanSupplier others) throws RdmaException, InterruptedException {
        int polled = pollFirst(into);
        return polled > 0 ? polled : waiting().await(into, others);
    }

    private int pollFirst(WorkCompletion[] into) {
        waiting();
        if (into.length == 0) {
            throw new IllegalArgumentException("the array of completions is empty; it needs at least 1 element");
        }
        return poll(into);
    }

    private CompletionWait waiting() {
        if (waiting == null) {
            throw new IllegalStateException(
                    this + " has no completion channel to wait for: pass a channel to createCq");
        }
        return waiting;
    }

    /** Counts an event that was read from the channel; returns true if the user of the channel requested it. */
    boolean notified() {
        eventTaken();
        return waiting().notified();
    }

    /** Wakes waiting threads, because there may be completions that the kernel does not know of. */
    void lookAgain() {
        // Orders earlier writes of work requests before wantsEvent(). The waiting thread requests an event, then polls.
        VarHandle.fullFence();
        if (waiting != null && waiting.wantsEvent()) {
            waiting.handOver();
        }
    }

    /** Called before the next notification request, which may depend on the number of events that were taken. */
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

    /** Forgets a queue pair that was destroyed or moved to RESET. */
    void forget(QueueRings queues) {
        pollLock.lock();
        try {
            ring.forget(queues);
        } finally {
            pollLock.unlock();
        }
    }

    /** Forgets a shared receive queue of an XRC domain that was destroyed. */
    void forget(SharedReceiveRing shared) {
        pollLock.lock();
        try {
            ring.forget(shared);
        } finally {
            pollLock.unlock();
        }
    }

    /**
     * Requests one channel event for the next completion ({@code ibv_req_notify_cq(3)}). Wait for the event with
     * {@link CompletionChannel#awaitEvent()}; {@link #await} does both. Completions already in the queue cause no
     * event: request the notification, poll until the queue is empty, then wait.
     *
     * @param solicitedOnly true to be notified only of errors and of messages sent with
     *     {@link SendWorkRequest#solicited()}
     * @throws IllegalStateException if the queue is closed, or was created without a completion channel
     */
    public void requestNotification(boolean solicitedOnly) throws RdmaException {
        waiting().requested();
        whileOpen(solicitedOnly ? () -> armRing(true) : arm);
    }

    /** Requests an event for any completion, for {@link #await}; allocates nothing. */
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
            context.control().destroy(ControlPath.Kind.CQ, created.handle());
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
