// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.flight.QueueStatistics;
import io.github.rdma4j.internal.flight.QueueStatistics.QueueCounters;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.syscall.FirstFailure;
import io.github.rdma4j.internal.uverbs.AttachMcastCommand;
import io.github.rdma4j.internal.uverbs.ModifyQp.QpAttrMask;
import io.github.rdma4j.internal.uverbs.QueryQp;
import io.github.rdma4j.internal.verbs.Posting;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.QueuePairType;
import org.jspecify.annotations.Nullable;

/**
 * A send queue and a receive queue ({@code ibv_create_qp(3)}).
 *
 * <p>Created by {@link ProtectionDomain#createQp}; {@code XrcDomain} has the queue pairs that receive for XRC. Posting allocates
 * nothing. A call of {@code postSend} makes one system call,
 * however many work requests it posts; posting a receive makes no system call. Several threads may post to both queues: each
 * queue has a lock of its own.
 *
 * <pre>{@code
 * qp.postSend(new SendWorkRequest(1).rdmaWrite(offer, 0).add(region, 0, 8));
 * qp.postSend(new SendWorkRequest(1).rdmaRead(offer, 0).add(region, 8, 8).signaled());
 * }</pre>
 */
public final class QueuePair extends VerbsObject {
    private static final int MAX_UINT16 = 0xffff;

    private final DeviceContext context;
    private final QueuePairType type;
    private final long cookie;
    private final Created.Qp created;
    private final QueueRings rings;
    private final CompletionQueues completions;
    private final QpCap cap;
    private final SendQueue sends;

    /** Apart from the send queue, so that receives are not held up by a doorbell; null on a shared receive queue. */
    private final @Nullable ReceiveQueue receives;

    /** Null unless a recording wants them. */
    private final @Nullable QueueStatistics statistics = QueueStatistics.begin();

    private final AttachedGroups groups;
    private volatile QpState state = QpState.RESET;

    /** In ERR, if the provider completes what the device does not. */
    private volatile boolean flushedByProvider;

    QueuePair(NewQueuePair made, VerbsObject... parents) {
        super(parents);
        this.context = made.context();
        this.type = made.type();
        this.groups = new AttachedGroups(context.control());
        this.cookie = made.cookie();
        this.created = made.created();
        this.rings = made.rings();
        this.completions = made.completions();
        this.cap = made.capacities();
        QueueCounters counters = QueueStatistics.counters(statistics);
        SendLimits limits = new SendLimits(this, context, made.pd(), cap, made.maxMessage());
        this.sends = new SendQueue(this, rings.send(), limits, cap.maxSendWr(), counters);
        ReceiveRing ring = rings.receive();
        this.receives = ring != null ? new ReceiveQueue(this, ring, cap.maxReceiveWr(), counters) : null;
    }

    static QueuePair create(ProtectionDomain pd, QueuePairOptions options) throws RdmaException {
        options.requireFittingType();
        VerbsObject[] parents = options.parents(pd);
        return create(() -> NewQueuePair.make(pd, options, made -> new QueuePair(made, parents)), parents);
    }

    /** The transport type. */
    public QueuePairType type() {
        return type;
    }

    /** The queue pair number, 24 bits, by which peers address this queue pair. */
    public int qpn() {
        return created.qpn();
    }

    /**
     * What can be used of the queue pair. {@link QpCap#maxSendWr()} and {@link QpCap#maxReceiveWr()} are what the options asked for, also
     * where the device has granted more: programs behave alike on every device, and a completion queue needs the sum of what was asked
     * for. The other capacities are as granted, at least what was asked for.
     */
    public QpCap capacities() {
        return cap;
    }

    boolean reportsOnlyTo(CompletionQueue cq) {
        return completions.areOnly(cq);
    }

    /** False for one that takes its receives from a shared receive queue, and for XRC. */
    boolean hasReceiveQueue() {
        return receives != null;
    }

    /**
     * The state that this object last moved the queue pair to. The device may have moved the queue pair to ERR since then;
     * {@link #query} asks the kernel. On iWARP the kernel's connection manager moves the queue pair, and the CM id to which it
     * belongs takes note: RTS with ESTABLISHED, ERR with DISCONNECTED. Of two calls of {@link #modify} at the same time, either
     * may be the last.
     */
    public QpState state() {
        return state;
    }

    /**
     * Changes attributes, the state among them ({@code ibv_modify_qp(3)}). On RoCE, INIT to RTR looks up the peer's
     * hardware address, which takes several seconds when nobody answers; only the closing of this queue pair waits for it.
     *
     * @throws ErrnoException EINVAL for attributes that the transition does not take or lacks
     */
    public void modify(QpAttr attributes) throws RdmaException {
        whileOpen(() -> {
            context.control().modifyQp(created.handle(), attributes);
            if (entersState(attributes)) {
                state = attributes.state();
                if (state == QpState.RESET) {
                    resetQueues();
                } else if (state == QpState.ERR) {
                    fail(attributes);
                }
            }
            return this;
        });
    }

    /**
     * On iWARP the connection manager of the kernel moves the queue pair to RTS itself. The attributes for RTS have an empty mask
     * then, as those that the kernel gives, and the command changes nothing.
     */
    private static boolean entersState(QpAttr attributes) {
        return (attributes.mask() & QpAttrMask.IBV_QP_STATE) != 0
                || (attributes.mask() == 0 && attributes.state() == QpState.RTS);
    }

    /** In RESET both queues are empty: what the device has completed since is of no queue pair. */
    private void resetQueues() throws RdmaException {
        withQueuesLocked(() -> {
            completions.forget(rings);
            rings.reset();
        });
    }

    private void fail(QpAttr attributes) throws RdmaException {
        withQueuesLocked(() -> flushedByProvider = rings.fail());
        if (flushedByProvider) {
            completions.sendCompletedByProvider();
            completions.receiveCompletedByProvider();
        } else if (rings.flushesReceivesWhenMoved()) {
            // A receive that was posted between the command and the new state has seen neither.
            context.control().modifyQp(created.handle(), attributes);
        }
    }

    /** A receive was posted: in ERR it is flushed. */
    private void receivePosted() throws RdmaException {
        if (state != QpState.ERR) {
            return;
        }
        if (flushedByProvider) {
            completions.receiveCompletedByProvider();
        } else if (rings.flushesReceivesWhenMoved()) {
            try {
                moveToError();
            } catch (ErrnoException | IllegalStateException gone) {
                // The device was removed or this was closed: no completion is to come, and the receive was posted.
            }
        }
    }

    /** Moves the queue pair to ERR, which flushes the work requests of both queues. */
    public void moveToError() throws RdmaException {
        modify(QpAttr.builder().state(QpState.ERR).build());
    }

    /** The attributes of the queue pair, asked from the kernel ({@code ibv_query_qp(3)}). */
    public QpAttr query() throws RdmaException {
        QueryQp.Reply reply = whileOpen(() -> context.control().queryQp(created.handle(), QpAttrMask.IBV_QP_STATE));
        return reply.attr();
    }

    /**
     * Receives also what is sent to a multicast group ({@code ibv_attach_mcast(3)}); once more changes nothing. On RoCE
     * the host has to be a member of the IP group as well, which the connection manager's join does. Closing detaches.
     *
     * @param group GID of the group, {@code ::ffff:a.b.c.d} for an IPv4 one
     * @param mlid local identifier of the group, 0 on Ethernet
     * @throws IllegalArgumentException when the queue pair is not of type {@link QueuePairType#UD}, or attached to the
     *     group by another local identifier
     * @throws ErrnoException EINVAL when the GID is not that of a group, ENOMEM when the group is full
     */
    public void attachMulticast(Gid group, int mlid) throws RdmaException {
        AttachMcastCommand command = multicast(group, mlid);
        whileOpen(() -> {
            groups.attach(command);
            return this;
        });
    }

    /**
     * Receives no more from a multicast group ({@code ibv_detach_mcast(3)}); both arguments as they were attached.
     *
     * @throws IllegalArgumentException when the queue pair is not of type {@link QueuePairType#UD}
     * @throws ErrnoException EINVAL when it is not attached
     */
    public void detachMulticast(Gid group, int mlid) throws RdmaException {
        AttachMcastCommand command = multicast(group, mlid);
        whileOpen(() -> {
            groups.detach(command);
            return this;
        });
    }

    private AttachMcastCommand multicast(Gid group, int mlid) {
        ensureOpen();
        if (!type.isDatagram()) {
            throw new IllegalArgumentException(this + " cannot be in a multicast group: only datagram queue pairs can");
        }
        if (mlid < 0 || mlid > MAX_UINT16) {
            throw new IllegalArgumentException(
                    "the multicast local identifier " + mlid + " is not in 0 to " + MAX_UINT16);
        }
        return new AttachMcastCommand(group, created.handle(), mlid);
    }

    /**
     * Posts one work request to the send queue. A datagram may be as long as the MTU that the port had when the queue pair
     * was made.
     *
     * @throws QueueFullException when there is no room; nothing was posted
     * @throws IllegalStateException when the queue pair is closed or not yet ready to send
     * @throws IllegalArgumentException when the request has more memory, inline data or length than the queue pair takes,
     *     or is an operation that its type does not have
     * @throws UnsupportedOperationException for an operation that the device does not have, or does not say whether it has
     * @throws ErrnoException when the kernel could not be told; the request is in the queue all the same and may be sent
     *     now, at the next post, or be flushed: its completion tells. Do not post it again
     */
    public void postSend(SendWorkRequest request) throws RdmaException {
        if (!tryPostSend(request)) {
            throw new QueueFullException("send queue of " + this, sends.capacity());
        }
    }

    /** As {@link #postSend(SendWorkRequest)}, but returns false when the queue is full. */
    public boolean tryPostSend(SendWorkRequest request) throws RdmaException {
        return tryPostSend(request, null);
    }

    /** The same for {@code posting}, which may be null. */
    boolean tryPostSend(SendWorkRequest request, @Nullable Posting posting) throws RdmaException {
        boolean posted = sends.tryPost(request, posting);
        if (flushedByProvider) {
            completions.sendCompletedByProvider();
        }
        return posted;
    }

    /**
     * Posts the first {@code count} of {@code requests}, in order and with one system call. Returns the number of requests
     * that the queue had room for; the others were not posted. If a request is refused, no request was posted.
     *
     * @throws ErrnoException as {@link #postSend(SendWorkRequest)}, for all that there was room for
     */
    public int postSend(SendWorkRequest[] requests, int count) throws RdmaException {
        int posted = sends.post(requests, count);
        if (flushedByProvider) {
            completions.sendCompletedByProvider();
        }
        return posted;
    }

    /**
     * Posts one work request to the receive queue.
     *
     * @throws QueueFullException when there is no room; nothing was posted
     * @throws IllegalStateException when the queue pair is closed or still in RESET, takes its receives from a shared receive
     *     queue, or is of XRC
     */
    public void postReceive(ReceiveWorkRequest request) throws RdmaException {
        if (!tryPostReceive(request)) {
            throw new QueueFullException("receive queue of " + this, cap.maxReceiveWr());
        }
    }

    /** As {@link #postReceive(ReceiveWorkRequest)}, but returns false when the queue is full. */
    public boolean tryPostReceive(ReceiveWorkRequest request) throws RdmaException {
        return tryPostReceive(request, null);
    }

    /** The same for {@code posting}, which may be null. */
    boolean tryPostReceive(ReceiveWorkRequest request, @Nullable Posting posting) throws RdmaException {
        boolean posted = requireReceives().tryPost(request, posting);
        receivePosted();
        return posted;
    }

    /**
     * Posts the first {@code count} of {@code requests} to the receive queue, in order. Returns the number of requests that the
     * queue had room for; the others were not posted. If a request is refused, no request was posted.
     *
     * @throws IllegalStateException as {@link #postReceive(ReceiveWorkRequest)}
     */
    public int postReceive(ReceiveWorkRequest[] requests, int count) throws RdmaException {
        int posted = requireReceives().post(requests, count);
        receivePosted();
        return posted;
    }

    private ReceiveQueue requireReceives() {
        ensureOpen();
        if (receives == null) {
            throw new IllegalStateException(this + " has no receive queue: "
                    + (type.isXrc() ? "receives are posted to the" : "post to its") + " shared receive queue");
        }
        if (state == QpState.RESET) {
            throw new IllegalStateException(this + " cannot take receives before it is in INIT");
        }
        return receives;
    }

    /** What the kernel says of a queue pair that was there before this object. */
    void assumeState(QpState found) {
        state = found;
    }

    @Override
    void destroy() throws RdmaException {
        context.forget(cookie);
        FirstFailure failure = new FirstFailure();
        failure.attempt(groups::detachAll);
        failure.attempt(() -> Creating.alone(context.driver(), () -> {
            withQueuesLocked(this::destroyQueues);
            return this;
        }));
        failure.throwIfAny();
    }

    private void destroyQueues() throws RdmaException {
        boolean destroyed = false;
        try {
            context.control().destroyQp(created.handle());
            destroyed = true;
            completions.forget(rings);
        } finally {
            rings.retire(destroyed);
            QueueStatistics.end(statistics, "QueuePair", context.device().name(), created.qpn());
        }
    }

    /** Keeps producers out of both queues during {@code step}; whatever the step throws, they are let in again. */
    private void withQueuesLocked(FirstFailure.Step step) throws RdmaException {
        sends.lock();
        try {
            if (receives == null) {
                step.run();
            } else {
                withReceivesLocked(receives, step);
            }
        } finally {
            sends.unlock();
        }
    }

    private static void withReceivesLocked(ReceiveQueue receives, FirstFailure.Step step) throws RdmaException {
        receives.lock();
        try {
            step.run();
        } finally {
            receives.unlock();
        }
    }

    @Override
    public String toString() {
        return "QueuePair[qpn=" + created.qpn() + ", " + type + ", " + state + "]";
    }
}
