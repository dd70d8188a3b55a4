// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.flight.QueueStatistics;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.uverbs.Srq;
import io.github.rdma4j.internal.uverbs.Srq.SrqAttrMask;
import io.github.rdma4j.internal.uverbs.SrqAttr;
import io.github.rdma4j.internal.verbs.Posting;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives that several queue pairs take from ({@code ibv_create_srq(3)}): a message of any of them takes the oldest.
 * The completion tells by {@link WorkCompletion#qpNumber()} whose it was.
 *
 * <p>Made by {@link ProtectionDomain#createSrq}; {@link QueuePairOptions.Builder#srq} puts a queue pair on it. A queue of an XRC
 * domain is made by {@code XrcDomain.createSrq}: all target queue pairs of the domain reach it, and it has the completion queue of
 * its receives. Posting makes no
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
    private final Created.Srq created;
    private final long cookie;
    private final SharedReceiveRing ring;
    private final ReceiveQueue receives;

    /** Where the receives of a queue of an XRC domain complete; null for others, whose queue pairs know. */
    private final @Nullable CompletionQueue receiveCq;

    /** Null unless a recording wants them. */
    private final @Nullable QueueStatistics statistics = QueueStatistics.begin();

    private SharedReceiveQueue(
            DeviceContext context, Created.Srq created, long cookie, SharedReceiveRing ring, Family family) {
        super(family.array());
        this.context = context;
        this.created = created;
        this.cookie = cookie;
        this.ring = ring;
        this.receiveCq = family.cq();
        this.receives = new ReceiveQueue(this, ring, family.asked(), QueueStatistics.counters(statistics));
        ring.lockedBy(receives);
    }

    /**
     * What the queue belongs to.
     *
     * @param asked how many receives the program wants
     * @param xrcdHandle the handle of the XRC domain
     * @param cq where receives complete; null for a queue that is of no XRC domain
     * @param parents what must be there for as long as the queue
     */
    private record Family(
            int asked, int xrcdHandle, @Nullable CompletionQueue cq, List<VerbsObject> parents) {
        VerbsObject[] array() {
            return parents.toArray(VerbsObject[]::new);
        }
    }

    static SharedReceiveQueue create(ProtectionDomain pd, SharedReceiveQueueOptions options) throws RdmaException {
        return create(pd, options, new Family(options.maxReceiveWr(), 0, null, List.of(pd)));
    }

    /** A queue of the XRC domain {@code xrcd}, which has the handle {@code xrcdHandle}. */
    static SharedReceiveQueue createXrc(
            ProtectionDomain pd,
            SharedReceiveQueueOptions options,
            CompletionQueue cq,
            VerbsObject xrcd,
            int xrcdHandle)
            throws RdmaException {
        return create(pd, options, new Family(options.maxReceiveWr(), xrcdHandle, cq, List.of(pd, cq, xrcd)));
    }

    private static SharedReceiveQueue create(ProtectionDomain pd, SharedReceiveQueueOptions options, Family family)
            throws RdmaException {
        return create(() -> make(pd, options, family), family.array());
    }

    private static SharedReceiveQueue make(ProtectionDomain pd, SharedReceiveQueueOptions options, Family family)
            throws RdmaException {
        DeviceContext context = pd.context();
        DriverContext driver = context.driver();
        CompletionQueue cq = family.cq();
        long cookie = context.newCookie();
        int maxWr = options.maxReceiveWr();
        int maxSge = options.maxReceiveSge();
        Srq.CreateCommand command =
                new Srq.CreateCommand(cookie, pd.handle(), driver.receivesToRequest(maxWr), maxSge, options.limit());
        Creation<Created.Srq, SharedReceiveRing> creation = cq == null
                ? driver.sharedReceiveQueue(maxWr, maxSge)
                : driver.xrcReceiveQueue(maxWr, maxSge, cq.ring());
        Creating.Command<Created.Srq> create = () -> cq == null
                ? context.control().createSrq(command, creation)
                : context.control()
                        .createXsrq(new Srq.CreateXrcCommand(command, family.xrcdHandle(), cq.handle()), creation);
        Creating.Steps<Created.Srq, SharedReceiveRing> steps = new Creating.Steps<>(
                LockedMemory.explained(context.kernel(), creation, create),
                created -> context.control().destroySrq(created.handle()),
                SharedReceiveRing::retire);
        return Creating.alone(
                driver,
                () -> Creating.make(creation, steps, (created, ring) -> {
                    SharedReceiveQueue srq = new SharedReceiveQueue(context, created, cookie, ring, family);
                    context.remember(cookie, srq);
                    return srq;
                }));
    }

    /** True for a queue of an XRC domain. */
    boolean isXrc() {
        return receiveCq != null;
    }

    /** False for a queue of an XRC domain whose receives complete elsewhere. */
    boolean mayReportTo(CompletionQueue cq) {
        return receiveCq == null || receiveCq == cq;
    }

    DeviceContext context() {
        return context;
    }

    int handle() {
        return created.handle();
    }

    /** What the provider made. */
    SharedReceiveRing ring() {
        return ring;
    }

    /** How many receives it holds: as many as were asked for, though the device may have granted more. */
    public int capacity() {
        return receives.capacity();
    }

    /** How many pieces of memory one receive may have. */
    public int maxSge() {
        return ring.maxSge();
    }

    /**
     * The number of the queue ({@code ibv_get_srq_num(3)}): a peer names a queue of an XRC domain by it in {@link
     * SendWorkRequest#toSrq}.
     */
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

    /** As {@link #postReceive(ReceiveWorkRequest)}, but a full queue is an answer: false. */
    public boolean tryPostReceive(ReceiveWorkRequest request) {
        return tryPostReceive(request, null);
    }

    /** The same for {@code posting}, which may be null. */
    boolean tryPostReceive(ReceiveWorkRequest request, @Nullable Posting posting) {
        return receives.tryPost(request, posting);
    }

    /**
     * Posts the first {@code count} of {@code requests}, in order. Returns the number of requests that the queue had room for;
     * the others were not posted. If a request is refused, no request was posted.
     */
    public int postReceive(ReceiveWorkRequest[] requests, int count) {
        return receives.post(requests, count);
    }

    /**
     * Asks for one event when a message leaves fewer than {@code requests} receives ({@code ibv_modify_srq(3)} with
     * {@code IBV_SRQ_LIMIT}); 0 for none. The event comes once, and the limit is 0 then.
     *
     * @throws IllegalArgumentException for less than 0 and more than {@link #capacity()} receives
     */
    public void modifyLimit(int requests) throws RdmaException {
        if (requests < 0 || requests > capacity()) {
            throw new IllegalArgumentException("a limit of " + requests + " receives; it must be 0 to " + capacity());
        }
        Srq.ModifyCommand command = new Srq.ModifyCommand(created.handle(), SrqAttrMask.IBV_SRQ_LIMIT, 0, requests);
        whileOpen(() -> {
            context.control().modifySrq(command, context.driver().sharedReceiveLimit());
            return this;
        });
    }

    /** The capacity and the limit that the queue has now, from the kernel ({@code ibv_query_srq(3)}). */
    public SharedReceiveQueueOptions query() throws RdmaException {
        SrqAttr attr = whileOpen(() -> context.control().querySrq(created.handle()));
        return SharedReceiveQueueOptions.builder()
                .maxReceiveWr(attr.maxWr())
                .maxReceiveSge(attr.maxSge())
                .limit(attr.srqLimit())
                .build();
    }

    /** True for an event of {@link DeviceContext#awaitAsyncEvent} that says that this queue is short of receives. */
    public boolean isLimitReached(AsyncEvent event) {
        return event.type() == AsyncEventType.SRQ_LIMIT_REACHED && event.element() == cookie;
    }

    @Override
    void destroy() throws RdmaException {
        context.forget(cookie);
        Creating.alone(context.driver(), this::destroyQueue);
    }

    private SharedReceiveQueue destroyQueue() throws RdmaException {
        boolean destroyed = false;
        try {
            context.control().destroySrq(created.handle());
            destroyed = true;
            if (receiveCq != null) {
                receiveCq.forget(ring);
            }
            return this;
        } finally {
            retire(destroyed);
        }
    }

    /** A producer that found the queue open may still be at it. */
    private void retire(boolean destroyed) {
        receives.lock();
        try {
            ring.retire(destroyed);
            QueueStatistics.end(
                    statistics, "SharedReceiveQueue", context.device().name(), created.number());
        } finally {
            receives.unlock();
        }
    }

    @Override
    public String toString() {
        return "SharedReceiveQueue[" + context.device().name() + ", number=" + created.number() + "]";
    }
}
