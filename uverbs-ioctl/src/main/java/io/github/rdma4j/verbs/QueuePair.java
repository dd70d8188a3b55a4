// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.abi.CreateQpCommand;
import io.github.rdma4j.verbs.abi.QpAttr;
import io.github.rdma4j.verbs.abi.QpAttrMask;
import io.github.rdma4j.verbs.abi.QpCap;
import io.github.rdma4j.verbs.abi.QueryQpReply;
import io.github.rdma4j.verbs.ioctl.ControlPath;

/**
 * A send queue and a receive queue ({@code ibv_create_qp(3)}).
 *
 * <p>Made by {@link ProtectionDomain#createQp}. Posting allocates nothing; a send makes one system call a call of
 * {@code postSend}, however many work requests it posts, and a receive makes none. Both queues may be posted to by
 * several threads: each has its lock.
 */
public final class QueuePair extends VerbsObject {
    private final DeviceContext context;
    private final QueuePairType type;
    private final ControlPath.NewQp created;
    private final QpCap cap;
    private final SendQueue sends;

    /** Apart from the send queue, so that receives are not held up by a doorbell. */
    private final ReceiveQueue receives;

    private volatile QpState state = QpState.RESET;

    private QueuePair(
            ProtectionDomain pd, QueuePairOptions options, ControlPath.NewQp created, Rings rings, long maxMessage) {
        super(pd, options.requireSendCq(), options.requireReceiveCq());
        this.context = pd.context();
        this.type = options.type();
        this.created = created;
        this.cap = rings.cap(created.cap());
        this.sends = new SendQueue(this, rings.send(), new SendLimits(this, pd, cap, maxMessage));
        this.receives = new ReceiveQueue(this, rings.receive(), cap.maxRecvSge());
    }

    private record Rings(Provider.SendRing send, Provider.ReceiveRing receive) {
        static Rings map(DeviceContext context, ControlPath.NewQp made) throws RdmaException {
            Provider provider = context.provider();
            Provider.Device device = context.providerDevice();
            Provider.SendRing send = provider.mapSendRing(device, made.driverReply(), made.handle());
            try {
                return new Rings(send, provider.mapReceiveRing(device, made.driverReply()));
            } catch (RdmaException e) {
                send.retire();
                throw e;
            }
        }

        /** The kernel may have rounded up the depths without saying so. */
        QpCap cap(QpCap granted) {
            return new QpCap(
                    send.capacity(),
                    receive.capacity(),
                    granted.maxSendSge(),
                    granted.maxRecvSge(),
                    granted.maxInlineData());
        }
    }

    static QueuePair create(ProtectionDomain pd, QueuePairOptions options) throws RdmaException {
        DeviceContext context = pd.context();
        CompletionQueue sendCq = options.requireSendCq();
        CompletionQueue receiveCq = options.requireReceiveCq();
        if (sendCq.context() != context || receiveCq.context() != context) {
            throw new IllegalArgumentException("the completion queue belongs to another device context than " + pd);
        }
        Provider provider = context.provider();
        return create(
                () -> {
                    CreateQpCommand command = new CreateQpCommand(
                            context.newCookie(),
                            pd.handle(),
                            sendCq.handle(),
                            receiveCq.handle(),
                            options.cap(),
                            options.signalsAll(),
                            options.type().code());
                    ControlPath.NewQp made = context.control().createQp(command, provider.qpReplyBytes());
                    return adopt(pd, options, made);
                },
                pd,
                sendCq,
                receiveCq);
    }

    private static QueuePair adopt(ProtectionDomain pd, QueuePairOptions options, ControlPath.NewQp made)
            throws RdmaException {
        DeviceContext context = pd.context();
        try {
            long maxMessage = options.type().isDatagram() ? context.packetLength() : context.maxMessageLength();
            return new QueuePair(pd, options, made, Rings.map(context, made), maxMessage);
        } catch (RdmaException e) {
            context.control().destroyQp(made.handle());
            throw e;
        }
    }

    /** How it carries messages. */
    public QueuePairType type() {
        return type;
    }

    /** The number by which the wire knows this queue pair. */
    public int qpn() {
        return created.qpn();
    }

    /**
     * What the queue pair can hold: what was asked for at least. A completion queue that is to hold the end of all of it
     * has to be that large.
     */
    public QpCap capacities() {
        return cap;
    }

    /**
     * The state that this object last moved the queue pair to. The device may have moved it to ERR on its own; {@link
     * #query} asks.
     */
    public QpState state() {
        return state;
    }

    /**
     * Changes attributes, the state among them ({@code ibv_modify_qp(3)}). INIT to RTR looks up the peer's hardware
     * address and may take a second.
     *
     * @throws ErrnoException EINVAL for attributes that the transition does not take or lacks
     */
    public void modify(QpAttr attributes) throws RdmaException {
        whileOpen(() -> {
            context.control().modifyQp(created.handle(), attributes);
            if ((attributes.mask() & QpAttrMask.IBV_QP_STATE) != 0) {
                state = QpState.of(attributes.qpState());
            }
            return this;
        });
    }

    /** Moves the queue pair to ERR, which flushes what is posted to either queue. */
    public void moveToError() throws RdmaException {
        modify(QpAttr.builder().qpState(QpState.ERR.code()).build());
    }

    /** What the kernel says of the queue pair ({@code ibv_query_qp(3)}). */
    public QpAttr query() throws RdmaException {
        QueryQpReply reply = whileOpen(() -> context.control().queryQp(created.handle(), QpAttrMask.IBV_QP_STATE));
        return reply.attr();
    }

    /**
     * Posts one work request to the send queue. A datagram may be as long as the MTU that the port had when the queue pair
     * was made.
     *
     * @throws QueueFullException when there is no room; nothing was posted
     * @throws IllegalStateException when the queue pair is closed or not yet ready to send
     * @throws IllegalArgumentException when the request has more memory, inline data or length than the queue pair takes,
     *     or is an operation that its type does not have
     */
    public void postSend(SendWorkRequest request) throws RdmaException {
        if (!tryPostSend(request)) {
            throw new QueueFullException("send queue of " + this, sends.capacity());
        }
    }

    /** As {@link #postSend(SendWorkRequest)}, but a full queue is an answer: false. */
    public boolean tryPostSend(SendWorkRequest request) throws RdmaException {
        return sends.tryPost(request);
    }

    /**
     * Posts the first {@code count} of {@code requests}, in order and with one system call. Returns how many there was
     * room for; the rest was not posted.
     */
    public int postSend(SendWorkRequest[] requests, int count) throws RdmaException {
        return sends.post(requests, count);
    }

    /**
     * Posts one work request to the receive queue.
     *
     * @throws QueueFullException when there is no room; nothing was posted
     * @throws IllegalStateException when the queue pair is closed or still in RESET
     */
    public void postReceive(ReceiveWorkRequest request) throws RdmaException {
        if (!tryPostReceive(request)) {
            throw new QueueFullException("receive queue of " + this, receives.capacity());
        }
    }

    /** As {@link #postReceive}, but a full queue is an answer: false. */
    public boolean tryPostReceive(ReceiveWorkRequest request) throws RdmaException {
        ensureOpen();
        if (state == QpState.RESET) {
            throw new IllegalStateException(this + " cannot take receives before it is in INIT");
        }
        return receives.tryPost(request);
    }

    @Override
    void destroy() throws RdmaException {
        sends.lock();
        receives.lock();
        try {
            context.control().destroyQp(created.handle());
        } finally {
            receives.retire();
            sends.retire();
            receives.unlock();
            sends.unlock();
        }
    }

    @Override
    public String toString() {
        return "QueuePair[qpn=" + created.qpn() + ", " + type + ", " + state + "]";
    }
}
