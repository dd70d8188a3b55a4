// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.kernel.KernelFd;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.provider.CompletionRing;
import io.github.rdma4j.verbs.provider.Provider;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A ring of completions: one entry for each finished work request of the queue pairs that report to it ({@code
 * ibv_create_cq(3)}).
 *
 * <p>Created by {@link DeviceContext#createCq}. Polling makes no system call and allocates nothing. Several threads may poll;
 * each completion goes to one thread. Closing the completion queue closes the queue pairs that report to it first.
 *
 * <pre>{@code
 * cq.requestNotification(false);
 * int polled = cq.poll(completions);
 * for (int i = 0; i < polled; i++) {
 *     sum += buffer.getLong((int) completions[i].wrId() * 8);
 * }
 * received += polled;
 * if (polled == 0 && channel.awaitEvent(limit).isEmpty()) {
 *     throw new IOException("no message in time");
 * }
 * }</pre>
 */
public final class CompletionQueue extends VerbsObject {
    private final DeviceContext context;
    private final ControlPath.NewCq created;
    private final long cookie;
    private final CompletionRing ring;
    private final boolean hasChannel;

    /** Serialises consumers, and keeps them out while the ring is retired. */
    private final ReentrantLock pollLock = new ReentrantLock();

    private CompletionQueue(
            DeviceContext context,
            ControlPath.NewCq created,
            long cookie,
            CompletionRing ring,
            VerbsObject... parents) {
        super(parents);
        this.context = context;
        this.created = created;
        this.cookie = cookie;
        this.ring = ring;
        this.hasChannel = parents.length > 1;
    }

    static CompletionQueue create(DeviceContext context, int entries, int vector, @Nullable CompletionChannel channel)
            throws RdmaException {
        VerbsObject[] parents = channel == null ? new VerbsObject[] {context} : new VerbsObject[] {context, channel};
        KernelFd events = channel == null ? null : channel.descriptor();
        Provider provider = context.provider();
        return create(
                () -> {
                    long cookie = context.newCookie();
                    ControlPath.NewCq made =
                            context.control().createCq(entries, vector, cookie, events, provider.cqReplyBytes());
                    return Undo.onFailure(
                            () -> withRing(context, made, cookie, parents),
                            () -> context.control().destroyCq(made.handle()));
                },
                parents);
    }

    private static CompletionQueue withRing(
            DeviceContext context, ControlPath.NewCq made, long cookie, VerbsObject... parents) throws RdmaException {
        CompletionRing ring = context.provider().mapCompletionRing(context.providerDevice(), made.driverReply());
        return Undo.onFailure(
                () -> {
                    CompletionQueue cq = new CompletionQueue(context, made, cookie, ring, parents);
                    context.remember(cookie, cq);
                    return cq;
                },
                ring::retire);
    }

    DeviceContext context() {
        return context;
    }

    int handle() {
        return created.handle();
    }

    /** The number of completions that the queue holds. A completion beyond that number is lost and breaks its queue pair. */
    public int capacity() {
        return Math.min(created.cqe(), ring.capacity());
    }

    /**
     * Takes at most {@code into.length} completions, the oldest first, and returns their number, which may be 0. Does not
     * wait. A null element ends the array.
     *
     * @throws NullPointerException when there is a completion and the first element is null; the completion stays in the queue
     */
    public int poll(WorkCompletion[] into) {
        pollLock.lock();
        try {
            ensureOpen();
            return ring.poll(into, WorkCompletion.SINK);
        } finally {
            pollLock.unlock();
        }
    }

    /**
     * Requests one event on the channel for the next completion ({@code ibv_req_notify_cq(3)}). Completions that are in
     * the queue already cause no event: arm, poll until the queue is empty, then wait.
     *
     * @param solicitedOnly true for an event only for a message sent as {@link SendWorkRequest#solicited()}, or an error
     */
    public void requestNotification(boolean solicitedOnly) throws RdmaException {
        if (!hasChannel) {
            throw new IllegalStateException(this + " was made without a completion channel: nothing would be notified");
        }
        whileOpen(() -> {
            context.control().reqNotifyCq(created.handle(), solicitedOnly);
            return this;
        });
    }

    @Override
    void destroy() throws RdmaException {
        context.forget(cookie);
        pollLock.lock();
        try {
            context.control().destroyCq(created.handle());
        } finally {
            ring.retire();
            pollLock.unlock();
        }
    }

    @Override
    public String toString() {
        return "CompletionQueue[" + context.device().name() + ", handle=" + created.handle() + "]";
    }
}
