// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.uverbs.CreateSrqCommand;
import io.github.rdma4j.internal.uverbs.ModifySrqCommand;
import io.github.rdma4j.internal.uverbs.SrqAttrMask;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.provider.Provider;
import io.github.rdma4j.verbs.provider.ReceiveRing;

/**
 * Receives that several queue pairs take from ({@code ibv_create_srq(3)}): a message of any of them takes the oldest.
 * The completion tells by {@link WorkCompletion#qpNumber()} whose it was.
 *
 * <p>Made by {@link ProtectionDomain#createSrq}; {@link QueuePairOptions.Builder#srq} puts a queue pair on it. Posting makes no
 * system call and allocates nothing, and may be done by several threads. Closing closes the queue pairs that take from
 * it first.
 *
 * <pre>{@code
 * srq.postReceive(new ReceiveWorkRequest(1).wrId(i).add(region, i * 8L, 8));
 * ...
 * QueuePairOptions.builder().cq(cq).srq(srq).build()
 * }</pre>
 */
public final class SharedReceiveQueue extends VerbsObject {
    private final DeviceContext context;
    private final ControlPath.NewSrq created;
    private final long cookie;
    private final ReceiveQueue receives;

    private SharedReceiveQueue(ProtectionDomain pd, ControlPath.NewSrq created, long cookie, ReceiveRing ring) {
        super(pd);
        this.context = pd.context();
        this.created = created;
        this.cookie = cookie;
        this.receives = new ReceiveQueue(this, ring, created.maxSge());
    }

    static SharedReceiveQueue create(ProtectionDomain pd, SrqOptions options) throws RdmaException {
        DeviceContext context = pd.context();
        Provider provider = context.provider();
        return create(
                () -> {
                    long cookie = context.newCookie();
                    CreateSrqCommand command = new CreateSrqCommand(
                            cookie, pd.handle(), options.maxReceiveWr(), options.maxReceiveSge(), options.limit());
                    ControlPath.NewSrq made = context.control().createSrq(command, provider.srqReplyBytes());
                    return Undo.onFailure(
                            () -> withRing(pd, provider, made, cookie),
                            () -> context.control().destroySrq(made.handle()));
                },
                pd);
    }

    private static SharedReceiveQueue withRing(
            ProtectionDomain pd, Provider provider, ControlPath.NewSrq made, long cookie) throws RdmaException {
        ReceiveRing ring = provider.mapSharedReceiveRing(pd.context().providerDevice(), made.driverReply());
        return Undo.onFailure(() -> new SharedReceiveQueue(pd, made, cookie, ring), ring::retire);
    }

    DeviceContext context() {
        return context;
    }

    int handle() {
        return created.handle();
    }

    /** How many receives it holds: as many as were asked for at least. */
    public int capacity() {
        return receives.capacity();
    }

    /** How many pieces of memory one receive may have. */
    public int maxSge() {
        return created.maxSge();
    }

    /** The number of the queue, which events and diagnostics of the kernel name. */
    public int number() {
        return created.number();
    }

    /**
     * Posts one receive.
     *
     * @throws QueueFullException when there is no room; nothing was posted
     * @throws IllegalStateException when the queue is closed
     */
    public void postReceive(ReceiveWorkRequest request) throws RdmaException {
        if (!tryPostReceive(request)) {
            throw new QueueFullException(toString(), receives.capacity());
        }
    }

    /** As {@link #postReceive}, but a full queue is an answer: false. */
    public boolean tryPostReceive(ReceiveWorkRequest request) {
        return receives.tryPost(request);
    }

    /**
     * Asks for one event when a message leaves fewer than {@code requests} receives ({@code ibv_modify_srq(3)} with
     * {@code IBV_SRQ_LIMIT}); 0 for none. The event comes once, and the limit is 0 then.
     *
     * @throws ErrnoException EINVAL when the queue does not hold that many
     */
    public void modifyLimit(int requests) throws RdmaException {
        QueuePairOptions.Builder.notNegative(requests, "limit");
        ModifySrqCommand command = new ModifySrqCommand(created.handle(), SrqAttrMask.IBV_SRQ_LIMIT, 0, requests);
        whileOpen(() -> {
            context.control().modifySrq(command, context.provider().modifySrqRequestBytes());
            return this;
        });
    }

    /** What the kernel says of the queue ({@code ibv_query_srq(3)}). */
    public SrqAttr query() throws RdmaException {
        return whileOpen(() -> context.control().querySrq(created.handle()));
    }

    /** True for an event of {@link DeviceContext#awaitAsyncEvent} that says that this queue is short of receives. */
    public boolean isLimitReached(AsyncEvent event) {
        return event.type() == AsyncEventType.SRQ_LIMIT_REACHED && event.element() == cookie;
    }

    @Override
    void destroy() throws RdmaException {
        receives.lock();
        try {
            context.control().destroySrq(created.handle());
        } finally {
            receives.retire();
            receives.unlock();
        }
    }

    @Override
    public String toString() {
        return "SharedReceiveQueue[" + context.device().name() + ", number=" + created.number() + "]";
    }
}
