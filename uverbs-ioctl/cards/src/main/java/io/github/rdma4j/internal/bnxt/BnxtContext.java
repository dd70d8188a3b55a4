// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.bnxt.BnxtAbi.AllocPdResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateCq;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateCqResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateQp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateQpResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateSrq;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateSrqResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.Newer;
import io.github.rdma4j.internal.bnxt.BnxtQueueRings.Ends;
import io.github.rdma4j.internal.bnxt.Elements.Entry;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.internal.provider.Device.Held;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.QueueHandles;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.RingMath;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** An open device: its doorbells, the page shared with the kernel, and the queue pairs by handle. */
final class BnxtContext implements DriverContext {
    private static final DriverExchange NEW_DOMAIN = DriverExchange.of(0, AllocPdResp.BYTES);

    private static final int MOST_SHARED_RECEIVES = 1 << 19;

    private final BnxtParts parts;
    private final RingMemory shared;

    /** Not visible to the program: the kernel assigns the doorbells of the context with its first protection domain. */
    private final Held domain;

    private final Lock addressLock = new ReentrantLock();

    private BnxtContext(BnxtParts parts, RingMemory shared, Held domain) {
        this.parts = parts;
        this.shared = shared;
        this.domain = domain;
    }

    static BnxtContext open(Device device, Chip chip) throws RdmaException {
        RingMemory shared = device.map(0, device.pageSize(), "bnxt_re shared page");
        return Undo.onFailure(() -> open(device, chip, shared, device.allocatePd(NEW_DOMAIN)), shared::retire);
    }

    private static BnxtContext open(Device device, Chip chip, RingMemory shared, Held domain) throws RdmaException {
        return Undo.onFailure(
                () -> {
                    long offset = domain.driverReply().getLong(AllocPdResp.DBR);
                    DoorbellPage page = device.mapDoorbells(offset, device.pageSize(), "bnxt_re doorbell page");
                    Doorbells doorbells = new Doorbells(page);
                    return new BnxtContext(
                            new BnxtParts(device, new Sizes(chip), doorbells, new QueueHandles<>()), shared, domain);
                },
                domain::release);
    }

    @Override
    public DriverExchange protectionDomain() {
        return NEW_DOMAIN;
    }

    @Override
    public int entriesToRequest(int wanted) {
        return parts.sizes().completionsToRequest(wanted);
    }

    @Override
    public QpCap capacitiesToRequest(QpCap wanted) {
        return parts.sizes().toRequest(wanted);
    }

    @Override
    public Creation<Created.Cq, CompletionRing> completionQueue(int entries) throws RdmaException {
        int count = parts.sizes().completions(entries);
        RingMemory memory = parts.device().allocate(count << Entry.SHIFT, "bnxt_re completion ring");
        return Creation.of(
                DriverExchange.of(
                        BnxtAbi.CREATE_CQ_REQUEST,
                        CreateCqResp.BYTES,
                        request -> request.putAddress(CreateCq.CQ_VA, memory, 0)),
                granted -> {
                    ByteBuffer reply = granted.driverReply();
                    int number = reply.getInt(CreateCqResp.CQID);
                    boolean toggles =
                            (reply.getLong(CreateCqResp.COMP_MASK) & Newer.BNXT_RE_CQ_TOGGLE_PAGE_SUPPORT) != 0;
                    CompletionEntries ring = new CompletionEntries(memory, count, reply.getInt(CreateCqResp.PHASE));
                    BnxtCompletionRing.Numbers numbers = new BnxtCompletionRing.Numbers(
                            granted.handle(), number, parts.sizes().isDeferred(entries));
                    TogglePage page = TogglePage.open(parts.device(), Newer.BNXT_RE_CQ_TOGGLE_MEM, number, toggles);
                    return Undo.onFailure(() -> new BnxtCompletionRing(parts, ring, numbers, page), page::retire);
                },
                destroyed -> memory.retire());
    }

    /** The memory holds the send ring with the packet numbers, and the receive ring. */
    @Override
    public Creation<Created.Qp, QueueRings> queuePair(QueuePairRequest request) throws RdmaException {
        if (request.type() != QueuePairType.RC && request.type() != QueuePairType.UD) {
            throw new UnsupportedByKernelException(
                    "bnxt_re has queue pairs of types RC and UD only; no " + request.type());
        }
        Sizes sizes = parts.sizes();
        Sizes.Sends sends = sizes.sends(request.cap());
        boolean own = request.shared() == null;
        Sizes.Receives receives = own ? sizes.receives(request.cap()) : Sizes.Receives.NONE;
        int receivesAt =
                RingMath.toMultiple(sizes.sendBytes(sends), parts.device().pageSize());
        long handle = parts.queues().take();
        RingMemory memory = Undo.onFailure(
                () -> parts.device().allocate(receivesAt + receives.bytes(), "the rings of a queue pair of bnxt_re"),
                () -> parts.queues().release(handle));
        return Creation.of(
                DriverExchange.of(CreateQp.BYTES, CreateQpResp.BYTES, out -> {
                    out.putAddress(CreateQp.QPSVA, memory, 0);
                    if (own) {
                        out.putAddress(CreateQp.QPRVA, memory, receivesAt);
                    }
                    out.putLong(CreateQp.QP_HANDLE, handle);
                    if (parts.sizes().chip().variable()) {
                        out.putInt(CreateQp.SQ_SLOTS, sends.slots());
                    }
                }),
                granted -> {
                    Ends ends = Ends.of(handle, granted.driverReply().getInt(CreateQpResp.QPID), request);
                    ByteBuffer ring = memory.buffer().slice(receivesAt, receives.bytes());
                    return rings(request, memory, ends, sends, own ? receiveRing(ring, receives, request, ends) : null);
                },
                destroyed -> {
                    memory.retire();
                    if (destroyed) {
                        parts.queues().release(handle);
                    }
                });
    }

    private BnxtReceiveRing receiveRing(ByteBuffer ring, Sizes.Receives sizes, QueuePairRequest request, Ends ends) {
        return new BnxtReceiveRing(ring, sizes, request.cap().maxReceiveSge(), ends.number(), parts.doorbells());
    }

    private QueueRings rings(
            QueuePairRequest request,
            RingMemory memory,
            Ends ends,
            Sizes.Sends sends,
            @Nullable BnxtReceiveRing receive) {
        BnxtSendRing.Shape shape =
                new BnxtSendRing.Shape(sends, request.cap(), ends.datagram(), request.signalAll(), ends.number());
        BnxtSendRing send = new BnxtSendRing(memory.buffer(), shape, parts.sizes(), parts.doorbells());
        BnxtQueueRings rings = new BnxtQueueRings(parts.queues(), memory, ends, send, receive);
        parts.queues().put(rings);
        return rings;
    }

    @Override
    public Creation<Created.Srq, SharedReceiveRing> sharedReceiveQueue(int maxWr, int maxSge) throws RdmaException {
        RingMath.require("maxReceiveWr of a shared receive queue", maxWr, 0, MOST_SHARED_RECEIVES);
        RingMath.require("maxReceiveSge of a shared receive queue", maxSge, 0, Elements.FIXED_PIECES);
        int elements = parts.sizes().depth(maxWr + 1);
        RingMemory memory = parts.device().allocate(elements << Elements.SHARED_SHIFT, "bnxt_re shared receive ring");
        return Creation.of(
                DriverExchange.of(
                        CreateSrq.BYTES,
                        CreateSrqResp.BYTES,
                        request -> request.putAddress(CreateSrq.SRQVA, memory, 0)),
                granted -> {
                    ByteBuffer reply = granted.driverReply();
                    int number = reply.getInt(CreateSrqResp.SRQID);
                    boolean toggles =
                            (reply.getLong(CreateSrqResp.COMP_MASK) & Newer.BNXT_RE_SRQ_TOGGLE_PAGE_SUPPORT) != 0;
                    BnxtSharedReceiveRing.Shape shape = new BnxtSharedReceiveRing.Shape(number, elements, maxSge);
                    TogglePage page = TogglePage.open(parts.device(), Newer.BNXT_RE_SRQ_TOGGLE_MEM, number, toggles);
                    return Undo.onFailure(
                            () -> new BnxtSharedReceiveRing(memory, shape, page, parts.doorbells()), page::retire);
                },
                destroyed -> memory.retire());
    }

    /** Required because the kernel writes the number of a new address handle to the shared page. */
    @Override
    public Lock addressHandleLock() {
        return addressLock;
    }

    @Override
    public Creation<Created.Ah, AddressVector> addressHandle(Created.Pd pd, AhAttr attributes) {
        return Creation.of(
                0,
                granted -> new BnxtSendRing.Address(
                        shared.buffer().getInt(BnxtAbi.BNXT_RE_AVID_OFFT) & Elements.Header.ADDRESS_MASK));
    }

    @Override
    public void close() {
        parts.doorbells().page().retire();
        shared.retire();
        domain.release();
    }
}
