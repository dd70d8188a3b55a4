// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.flight.QueueStatistics;
import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.internal.uverbs.Srq;
import io.github.rdma4j.internal.uverbs.Srq.SrqAttr;
import io.github.rdma4j.internal.uverbs.Srq.SrqAttrMask;
import io.github.rdma4j.internal.verbs.Posting;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue of receives for several queue pairs ({@code ibv_create_srq(3)}). A message to any of these queue pairs
 * consumes the oldest receive. {@link WorkCompletion#qpNumber()} of the completion tells which queue pair received the
 * message.
 *
 * <p>Created by {@link ProtectionDomain#createSrq} and assigned to a queue pair by
 * {@link QueuePairOptions.Builder#srq}. {@code XrcDomain.createSrq} creates a queue of an XRC domain: all target queue
 * pairs of the domain reach it, and its receives complete in its own completion queue. Posting makes no system call and
 * allocates nothing. Several threads may post. Closing the queue first closes the queue pairs that use it.
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

    /** The completion queue for receives of an XRC domain's queue; null for other queues, whose queue pairs have it. */
    private final @Nullable CompletionQueue receiveCq;

    /** Null unless a recording is active. */
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
     * The parents of the queue.
     *
     * @param asked the requested number of receives
     * @param xrcdHandle the kernel's handle of the XRC domain
     * @param cq the completion queue for receives; null for a queue without an XRC domain
     * @param parents the objects that must exist while the queue exists
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

    /** Creates a queue of the XRC domain {@code xrcd}, which has the handle {@code xrcdHandle}. */
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
        Undo.Making<Creation<Created.Srq, SharedReceiveRing>> preparation = () -> cq == null
                ? driver.sharedReceiveQueue(maxWr, maxSge)
                : driver.xrcReceiveQueue(maxWr, maxSge, cq.ring());
        Srq.Xrc xrc = cq == null ? null : new Srq.Xrc(family.xrcdHandle(), cq.handle());
        Creating.Command<Created.Srq> create = exchange -> context.control().createSrq(command, xrc, exchange);
        Creating.Steps<Created.Srq, SharedReceiveRing> steps = new Creating.Steps<>(
                LockedMemory.explained(
                        context.kernel(),
                        DeviceLimits.named(
                                context.control(), DeviceLimits.ofSharedReceives(maxWr, maxSge), "", create)),
                created -> context.control().destroy(ControlPath.Kind.SRQ, created.handle()),
                SharedReceiveRing::retire);
        return Creating.alone(
                driver,
                () -> Creating.make(preparation, steps, (created, ring) -> {
                    SharedReceiveQueue srq = new SharedReceiveQueue(context, created, cookie, ring, family);
                    context.remember(cookie, srq);
                    return srq;
                }));
    }

    /** Returns true for a queue of an XRC domain. */
    boolean isXrc() {
        return receiveCq != null;
    }

    /** Returns false for a queue of an XRC domain whose receives complete in another queue. */
    boolean mayReportTo(CompletionQueue cq) {
        return receiveCq == null || receiveCq == cq;
    }

    DeviceContext context() {
        return context;
    }

    int handle() {
        return created.handle();
    }

    /** Returns the ring that the provider created. */
    SharedReceiveRing ring() {
        return ring;
    }

    /** Returns the maximum number of outstanding receives: the requested number, even if the device granted more. */
    public int capacity() {
        return receives.capacity();
    }

    /** Returns the maximum number of scatter-gather entries in a receive. */
    public int maxSge() {
        return ring.maxSge();
    }

    /**
     * Returns the number of the queue ({@code ibv_get_srq_num(3)}). A peer passes the number of an XRC domain's queue
     * to {@link SendWorkRequest#toSrq}.
     */
    public int number() {
        return created.number();
    }

    /**
     * Posts one receive.
     *
     * @throws QueueFullException if there is no room; nothing was posted
     * @throws IllegalStateException if the queue is closed
     */
    public void postReceive(ReceiveWorkRequest request) throws RdmaException {
        if (!tryPostReceive(request)) {
            throw new QueueFullException(toString(), receives.capacity());
        }
    }

    /** Posts like {@link #postReceive(ReceiveWorkRequest)}, but returns false if the queue is full. */
    public boolean tryPostReceive(ReceiveWorkRequest request) {
        return tryPostReceive(request, null);
    }

    /** Posts like {@link #tryPostReceive(ReceiveWorkRequest)}, and notifies {@code posting} unless it is null. */
    boolean tryPostReceive(ReceiveWorkRequest request, @Nullable Posting posting) {
        return receives.tryPost(request, posting);
    }

    /**
     * Posts the first {@code count} elements of {@code requests}, in order. If one of them is invalid, none is posted.
     *
     * @return the number of receives posted; less than {@code count} if the queue had no room for the rest
     */
    public int postReceive(ReceiveWorkRequest[] requests, int count) {
        return receives.post(requests, count);
    }

    /**
     * True if at least {@code receives} posted receives are still in the queue. A receive leaves the queue when the begin of a message
     * takes it, or, with drivers that cannot see that, when its completion is polled.
     *
     * @throws IllegalArgumentException if {@code receives} is less than 0 or more than {@link #capacity()}
     * @throws IllegalStateException if the queue is closed
     */
    public boolean holds(int receives) {
        if (receives < 0 || receives > capacity()) {
            throw new IllegalArgumentException(receives + " receives; the number must be 0 to " + capacity());
        }
        return this.receives.holds(receives);
    }

    /**
     * Requests one event when a message leaves fewer than {@code requests} receives ({@code ibv_modify_srq(3)} with
     * {@code IBV_SRQ_LIMIT}); 0 requests no event. The event comes once and resets the limit to 0.
     *
     * @throws IllegalArgumentException if {@code requests} is less than 0 or more than {@link #capacity()}
     */
    public void modifyLimit(int requests) throws RdmaException {
        if (requests < 0 || requests > capacity()) {
            throw new IllegalArgumentException("a limit of " + requests + " receives; it must be 0 to " + capacity());
        }
        Srq.ModifyCommand command = new Srq.ModifyCommand(created.handle(), SrqAttrMask.IBV_SRQ_LIMIT, 0, requests);
        whileOpen(() -> {
            context.control().modifySrq(command, context.driver().sharedReceiveLimit());
            receives.lock();
            try {
                ring.limit(requests);
            } finally {
                receives.unlock();
            }
            return this;
        });
    }

    /** Queries the current capacity and limit of the queue from the kernel ({@code ibv_query_srq(3)}). */
    public SharedReceiveQueueOptions query() throws RdmaException {
        SrqAttr attr = whileOpen(() -> context.control().querySrq(created.handle()));
        return SharedReceiveQueueOptions.builder()
                .maxReceiveWr(attr.maxWr())
                .maxReceiveSge(attr.maxSge())
                .limit(attr.srqLimit())
                .build();
    }

    /** Returns true if {@code event} reports that this queue has fewer receives than the limit. */
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
            context.control().destroy(ControlPath.Kind.SRQ, created.handle());
            destroyed = true;
            if (receiveCq != null) {
                receiveCq.forget(ring);
            }
            return this;
        } finally {
            retire(destroyed);
        }
    }

    /** Waits for a producer that found the queue open and may still be posting, then retires the ring. */
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
