// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.flight.QueueStatistics;
import io.github.rdma4j.internal.flight.QueueStatistics.QueueCounters;
import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.internal.uverbs.ModifyQp.QpAttrMask;
import io.github.rdma4j.internal.uverbs.QpCommands.AttachMcast;
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
 * <p>Created by {@link ProtectionDomain#createQp}; {@code XrcDomain} creates the queue pairs that receive for XRC.
 * Posting allocates nothing. A call of {@code postSend} makes at most one system call, no matter how many work requests
 * it posts; posting a receive makes none. Several threads may post to both queues: each queue has its own lock.
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

    /** Separate from the send queue, so that a doorbell does not delay receives; null without a receive queue. */
    private final @Nullable ReceiveQueue receives;

    /** Null unless a recording is active. */
    private final @Nullable QueueStatistics statistics = QueueStatistics.begin();

    private final AttachedGroups groups;
    private final QueuePairState.Owner owner = new OwnerOfState();
    private final QueuePairState state;

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
        this.state = new QueuePairState(rings, owner);
        SendLimits limits = new SendLimits(sender(made.pd()), cap, made.maxMessage());
        this.sends = new SendQueue(this, rings.send(), limits, cap.maxSendWr(), counters);
        ReceiveRing ring = rings.receive();
        this.receives = ring != null ? new ReceiveQueue(this, ring, cap.maxReceiveWr(), counters) : null;
    }

    /** Returns this queue pair for checks of requests, which may name objects of {@code pd}. */
    SendLimits.Sender sender(@Nullable VerbsObject pd) {
        return new SendLimits.Sender(this, type, state, context::require, pd);
    }

    private final class OwnerOfState implements QueuePairState.Owner {
        @Override
        public void modify(QpAttr attributes) throws RdmaException {
            context.control().modifyQp(created.handle(), attributes);
        }

        @Override
        public QpState query() throws RdmaException {
            return context.control()
                    .queryQp(created.handle(), QpAttrMask.IBV_QP_STATE)
                    .state();
        }

        @Override
        public int receivesPosted() {
            return receives != null ? receives.posted() : 0;
        }

        @Override
        public void whileQueuesLocked(FirstFailure.Step step) throws RdmaException {
            sends.lock();
            try {
                if (receives == null) {
                    step.run();
                } else {
                    receives.whileLocked(step);
                }
            } finally {
                sends.unlock();
            }
        }

        @Override
        public void forgetCompletions() throws RdmaException {
            completions.forget(rings);
        }

        @Override
        public void sendCompletedByProvider() {
            completions.sendCompletedByProvider();
        }

        @Override
        public void receiveCompletedByProvider() {
            completions.receiveCompletedByProvider();
        }
    }

    static QueuePair create(ProtectionDomain pd, QueuePairOptions options) throws RdmaException {
        options.requireFittingType();
        VerbsObject[] parents = options.parents(pd);
        return create(() -> NewQueuePair.make(pd, options, made -> new QueuePair(made, parents)), parents);
    }

    /** Returns the transport type. */
    public QueuePairType type() {
        return type;
    }

    /** Returns the 24-bit queue pair number, by which peers address this queue pair. */
    public int qpn() {
        return created.qpn();
    }

    /**
     * Returns the usable capacities. {@link QpCap#maxSendWr()} and {@link QpCap#maxReceiveWr()} are the requested
     * numbers, even if the device granted more. So programs behave alike on every device, and a completion queue needs
     * the sum of the requested numbers. The other capacities are as granted by the device, at least as large as
     * requested.
     */
    public QpCap capacities() {
        return cap;
    }

    boolean reportsOnlyTo(CompletionQueue cq) {
        return completions.areOnly(cq);
    }

    /**
     * Returns the state that this object last moved the queue pair to. The device may have moved the queue pair to ERR
     * since then; {@link #query} asks the kernel. On iWARP, the kernel's connection manager moves the queue pair, and
     * the CM id that owns it updates this state: to RTS with ESTABLISHED, to ERR with DISCONNECTED. After concurrent
     * calls of {@link #modify}, the state is the one set by either call.
     */
    public QpState state() {
        return state.get();
    }

    /**
     * Changes attributes, including the state ({@code ibv_modify_qp(3)}). On RoCE, the transition from INIT to RTR
     * resolves the peer's hardware address, which takes several seconds if the peer does not answer. Closing this queue
     * pair waits for the end of the call; other calls on the device do not.
     *
     * @throws ErrnoException EINVAL if the transition does not allow one of the attributes or a required attribute is
     *     missing
     */
    public void modify(QpAttr attributes) throws RdmaException {
        whileOpen(() -> {
            state.modify(attributes);
            return this;
        });
    }

    /** Called when the device has reported an error of this queue pair by an asynchronous event. */
    void failByEvent() throws RdmaException {
        try {
            whileOpen(() -> {
                state.failByEvent();
                return this;
            });
        } catch (IllegalStateException closed) {
            // closing has removed the work requests
        }
    }

    /** Moves the queue pair to ERR, which flushes the work requests of both queues. */
    public void moveToError() throws RdmaException {
        modify(QpAttr.builder().state(QpState.ERR).build());
    }

    /** Queries the attributes of the queue pair from the kernel ({@code ibv_query_qp(3)}). */
    public QpAttr query() throws RdmaException {
        return whileOpen(() -> context.control().queryQp(created.handle(), QpAttrMask.IBV_QP_STATE));
    }

    /**
     * Attaches the queue pair to a multicast group, whose messages it then also receives ({@code ibv_attach_mcast(3)}).
     * A second call changes nothing. On RoCE, the host must also join the IP group, as a join through the connection
     * manager does. Closing the queue pair detaches it.
     *
     * @param group the GID of the group, {@code ::ffff:a.b.c.d} for an IPv4 group
     * @param mlid the multicast local identifier of the group, 0 to 65535; 0 on Ethernet
     * @throws IllegalArgumentException if the queue pair is not of type {@link QueuePairType#UD}, if {@code mlid} is
     *     out of range, or if the queue pair is attached to the group with another local identifier
     * @throws ErrnoException EINVAL if {@code group} is not a multicast GID; ENOMEM if the group is full
     */
    public void attachMulticast(Gid group, int mlid) throws RdmaException {
        AttachMcast command = multicast(group, mlid);
        whileOpen(() -> {
            groups.attach(command);
            return this;
        });
    }

    /**
     * Detaches the queue pair from a multicast group ({@code ibv_detach_mcast(3)}). The arguments must be those of
     * {@link #attachMulticast}.
     *
     * @throws IllegalArgumentException if the queue pair is not of type {@link QueuePairType#UD}
     * @throws ErrnoException EINVAL if the queue pair is not attached to the group
     */
    public void detachMulticast(Gid group, int mlid) throws RdmaException {
        AttachMcast command = multicast(group, mlid);
        whileOpen(() -> {
            groups.detach(command);
            return this;
        });
    }

    private AttachMcast multicast(Gid group, int mlid) {
        ensureOpen();
        if (!type.isDatagram()) {
            throw new IllegalArgumentException(this + " cannot join a multicast group; only UD queue pairs can");
        }
        if (mlid < 0 || mlid > MAX_UINT16) {
            throw new IllegalArgumentException(
                    "the multicast local identifier " + mlid + " is not from 0 to " + MAX_UINT16);
        }
        return new AttachMcast(group, created.handle(), mlid);
    }

    /**
     * Posts one work request to the send queue. The maximum length of a datagram is the MTU that the port had when the
     * queue pair was created.
     *
     * @throws QueueFullException if there is no room; nothing was posted
     * @throws IllegalStateException if the queue pair is closed or has not yet reached RTS
     * @throws IllegalArgumentException if the request exceeds the queue pair's limits for scatter-gather entries,
     *     inline data or message length, or if the queue pair's type does not support the operation
     * @throws UnsupportedOperationException if the device does not support the operation or cannot be queried for it
     * @throws ErrnoException if the doorbell failed. The request stays in the queue and is sent now, sent at the next
     *     post, or flushed: wait for its completion, and do not post it again
     */
    public void postSend(SendWorkRequest request) throws RdmaException {
        if (!tryPostSend(request)) {
            throw new QueueFullException("send queue of " + this, sends.capacity());
        }
    }

    /** Posts like {@link #postSend(SendWorkRequest)}, but returns false if the queue is full. */
    public boolean tryPostSend(SendWorkRequest request) throws RdmaException {
        return tryPostSend(request, null);
    }

    /** Posts like {@link #tryPostSend(SendWorkRequest)}, and notifies {@code posting} unless it is null. */
    boolean tryPostSend(SendWorkRequest request, @Nullable Posting posting) throws RdmaException {
        boolean posted = sends.tryPost(request, posting);
        state.sendPosted();
        return posted;
    }

    /**
     * Posts the first {@code count} elements of {@code requests}, in order and with at most one system call. If one of
     * them is invalid, none is posted.
     *
     * @return the number of requests posted; less than {@code count} if the queue had no room for the rest
     * @throws ErrnoException as for {@link #postSend(SendWorkRequest)}, for all requests that the queue had room for
     */
    public int postSend(SendWorkRequest[] requests, int count) throws RdmaException {
        int posted = sends.post(requests, count);
        state.sendPosted();
        return posted;
    }

    /**
     * Posts one work request to the receive queue.
     *
     * @throws QueueFullException if there is no room; nothing was posted
     * @throws IllegalStateException if the queue pair is closed or in RESET, uses a shared receive queue, or is of an
     *     XRC type
     */
    public void postReceive(ReceiveWorkRequest request) throws RdmaException {
        if (!tryPostReceive(request)) {
            throw new QueueFullException("receive queue of " + this, cap.maxReceiveWr());
        }
    }

    /** Posts like {@link #postReceive(ReceiveWorkRequest)}, but returns false if the queue is full. */
    public boolean tryPostReceive(ReceiveWorkRequest request) throws RdmaException {
        return tryPostReceive(request, null);
    }

    /** Posts like {@link #tryPostReceive(ReceiveWorkRequest)}, and notifies {@code posting} unless it is null. */
    boolean tryPostReceive(ReceiveWorkRequest request, @Nullable Posting posting) throws RdmaException {
        boolean posted = requireReceives().tryPost(request, posting);
        receivePosted();
        return posted;
    }

    /**
     * Posts the first {@code count} elements of {@code requests} to the receive queue, in order. If one of them is
     * invalid, none is posted.
     *
     * @return the number of requests posted; less than {@code count} if the queue had no room for the rest
     * @throws IllegalStateException as for {@link #postReceive(ReceiveWorkRequest)}
     */
    public int postReceive(ReceiveWorkRequest[] requests, int count) throws RdmaException {
        int posted = requireReceives().post(requests, count);
        receivePosted();
        return posted;
    }

    private ReceiveQueue requireReceives() {
        ensureOpen();
        if (receives == null) {
            throw new IllegalStateException(this + " has no receive queue: post receives to "
                    + (type.isXrc() ? "a" : "its") + " shared receive queue");
        }
        if (state.get() == QpState.RESET) {
            throw new IllegalStateException(this + " is in RESET: move it to INIT before posting receives");
        }
        return receives;
    }

    /** Flushes a receive that was posted in ERR. */
    private void receivePosted() throws RdmaException {
        if (state.needsMoveAfterReceive()) {
            try {
                moveToError();
            } catch (ErrnoException | IllegalStateException gone) {
                // the device was removed or the queue pair closed: the receive is posted, but never completes
            }
        }
    }

    /** Sets the state that the kernel reports for a queue pair that existed before this object. */
    void assumeState(QpState found) {
        state.assume(found);
    }

    @Override
    void destroy() throws RdmaException {
        context.forget(cookie);
        FirstFailure failure = new FirstFailure();
        failure.attempt(groups::detachAll);
        failure.attempt(() -> Creating.alone(context.driver(), () -> {
            owner.whileQueuesLocked(this::destroyQueues);
            return this;
        }));
        failure.throwIfAny();
    }

    private void destroyQueues() throws RdmaException {
        boolean destroyed = false;
        try {
            context.control().destroy(ControlPath.Kind.QP, created.handle());
            destroyed = true;
            completions.forget(rings);
        } finally {
            rings.retire(destroyed);
            QueueStatistics.end(statistics, "QueuePair", context.device().name(), created.qpn());
        }
    }

    @Override
    public String toString() {
        return "QueuePair[qpn=" + created.qpn() + ", " + type + ", " + state() + "]";
    }
}
