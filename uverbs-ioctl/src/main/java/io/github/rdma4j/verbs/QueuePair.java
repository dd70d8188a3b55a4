// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.abi.CreateQpCommand;
import io.github.rdma4j.verbs.abi.QpAttr;
import io.github.rdma4j.verbs.abi.QpAttrMask;
import io.github.rdma4j.verbs.abi.QpCap;
import io.github.rdma4j.verbs.abi.QpTypes;
import io.github.rdma4j.verbs.abi.QueryQpReply;
import io.github.rdma4j.verbs.abi.WorkRequestOpcodes;
import io.github.rdma4j.verbs.ioctl.ControlPath;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A send queue and a receive queue ({@code ibv_create_qp(3)}), of the reliable connected type.
 *
 * <p>Made by {@link ProtectionDomain#createQp}. Posting allocates nothing; a send makes one system call a call of
 * {@code postSend}, however many work requests it posts, and a receive makes none. Both queues may be posted to by
 * several threads: each has its lock.
 */
public final class QueuePair extends VerbsObject {
    private static final long MAX_UINT32 = 0xffff_ffffL;

    private final DeviceContext context;
    private final ControlPath.NewQp created;
    private final QpCap cap;
    private final Provider.WorkRings rings;
    private final long maxMessage;

    /** Serialises the producers of the send ring, and keeps them out while it is retired. */
    private final ReentrantLock sendLock = new ReentrantLock();

    /** The same for the receive ring; separate, so that receives are not held up by a doorbell. */
    private final ReentrantLock receiveLock = new ReentrantLock();

    private volatile QpState state = QpState.RESET;

    private QueuePair(
            ProtectionDomain pd,
            QueuePairOptions options,
            ControlPath.NewQp created,
            Provider.WorkRings rings,
            long maxMessage) {
        super(pd, options.requireSendCq(), options.requireReceiveCq());
        this.context = pd.context();
        this.created = created;
        this.rings = rings;
        this.cap = new QpCap(
                rings.sendCapacity(),
                rings.receiveCapacity(),
                created.cap().maxSendSge(),
                created.cap().maxRecvSge(),
                created.cap().maxInlineData());
        this.maxMessage = maxMessage;
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
                            QpTypes.IB_UVERBS_QPT_RC);
                    ControlPath.NewQp made = context.control().createQp(command, provider.qpReplyBytes());
                    return adopt(pd, options, provider, made);
                },
                pd,
                sendCq,
                receiveCq);
    }

    private static QueuePair adopt(
            ProtectionDomain pd, QueuePairOptions options, Provider provider, ControlPath.NewQp made)
            throws RdmaException {
        DeviceContext context = pd.context();
        try {
            long maxMessage = context.maxMessageLength();
            Provider.WorkRings rings =
                    provider.mapWorkRings(context.providerDevice(), made.driverReply(), made.handle(), made.cap());
            return new QueuePair(pd, options, made, rings, maxMessage);
        } catch (RdmaException e) {
            context.control().destroyQp(made.handle());
            throw e;
        }
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
     * Posts one work request to the send queue.
     *
     * @throws QueueFullException when there is no room; nothing was posted
     * @throws IllegalStateException when the queue pair is closed or not yet ready to send
     * @throws IllegalArgumentException when the request has more memory, inline data or length than the queue pair takes
     */
    public void postSend(SendWorkRequest request) throws RdmaException {
        if (!tryPostSend(request)) {
            throw new QueueFullException("send queue of " + this, rings.sendCapacity());
        }
    }

    /** As {@link #postSend(SendWorkRequest)}, but a full queue is an answer: false. */
    public boolean tryPostSend(SendWorkRequest request) throws RdmaException {
        sendLock.lock();
        try {
            validate(request);
            if (rings.sendFull()) {
                return false;
            }
            rings.put(request);
            publish();
            return true;
        } finally {
            sendLock.unlock();
        }
    }

    /**
     * Posts the first {@code count} of {@code requests}, in order and with one system call. Returns how many there was
     * room for; the rest was not posted.
     */
    public int postSend(SendWorkRequest[] requests, int count) throws RdmaException {
        sendLock.lock();
        try {
            for (int i = 0; i < count; i++) {
                validate(requests[i]);
            }
            int posted = 0;
            while (posted < count && !rings.sendFull()) {
                rings.put(requests[posted++]);
            }
            if (posted > 0) {
                publish();
            }
            return posted;
        } finally {
            sendLock.unlock();
        }
    }

    private void publish() throws ErrnoException {
        int result = rings.publishSends();
        if (result < 0) {
            throw new ErrnoException("IB_USER_VERBS_CMD_POST_SEND of " + this, Errno.ofResult(result));
        }
    }

    private void validate(SendWorkRequest request) {
        ensureOpen();
        QpState now = state;
        if (now.code() < QpState.RTS.code()) {
            throw new IllegalStateException(this + " cannot send before it is in RTS: connect it first");
        }
        ByteBuffer inline = request.inlineData();
        if (inline != null) {
            validateInline(request, inline);
        } else if (request.size() > cap.maxSendSge()) {
            throw new IllegalArgumentException(request.size() + " pieces of memory where the send queue of " + this
                    + " takes " + cap.maxSendSge() + ": raise maxSendSge");
        }
        if (request.totalLength() > maxMessage) {
            throw new IllegalArgumentException(
                    "a message of " + request.totalLength() + " bytes; the port takes " + maxMessage + " at most");
        }
        request.ensureRegionsOpen();
    }

    private void validateInline(SendWorkRequest request, ByteBuffer inline) {
        if (inline.remaining() > cap.maxInlineData()) {
            throw new IllegalArgumentException(inline.remaining() + " bytes of inline data where " + this + " takes "
                    + cap.maxInlineData() + ": raise maxInline");
        }
        if (request.opcode() == WorkRequestOpcodes.IB_UVERBS_WR_RDMA_READ) {
            throw new IllegalArgumentException("an RDMA read has nothing to send inline");
        }
    }

    /**
     * Posts one work request to the receive queue.
     *
     * @throws QueueFullException when there is no room; nothing was posted
     * @throws IllegalStateException when the queue pair is closed or still in RESET
     */
    public void postReceive(ReceiveWorkRequest request) throws RdmaException {
        if (!tryPostReceive(request)) {
            throw new QueueFullException("receive queue of " + this, rings.receiveCapacity());
        }
    }

    /** As {@link #postReceive}, but a full queue is an answer: false. */
    public boolean tryPostReceive(ReceiveWorkRequest request) throws RdmaException {
        receiveLock.lock();
        try {
            ensureOpen();
            if (state == QpState.RESET) {
                throw new IllegalStateException(this + " cannot take receives before it is in INIT");
            }
            if (request.size() > cap.maxRecvSge()) {
                throw new IllegalArgumentException(request.size() + " pieces of memory where the receive queue of "
                        + this + " takes " + cap.maxRecvSge() + ": raise maxReceiveSge");
            }
            if (request.totalLength() > MAX_UINT32) {
                throw new IllegalArgumentException("a receive of " + request.totalLength() + " bytes");
            }
            request.ensureRegionsOpen();
            if (rings.receiveFull()) {
                return false;
            }
            rings.put(request);
            return true;
        } finally {
            receiveLock.unlock();
        }
    }

    @Override
    void destroy() throws RdmaException {
        sendLock.lock();
        receiveLock.lock();
        try {
            context.control().destroyQp(created.handle());
        } finally {
            rings.retire();
            receiveLock.unlock();
            sendLock.unlock();
        }
    }

    @Override
    public String toString() {
        return "QueuePair[qpn=" + created.qpn() + ", RC, " + state + "]";
    }
}
