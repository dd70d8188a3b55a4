// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.RingMath;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.pvrdma.PvrdmaAbi.AllocPdResp;
import io.github.rdma4j.internal.pvrdma.PvrdmaAbi.CreateCq;
import io.github.rdma4j.internal.pvrdma.PvrdmaAbi.CreateCqResp;
import io.github.rdma4j.internal.pvrdma.PvrdmaAbi.CreateQp;
import io.github.rdma4j.internal.pvrdma.PvrdmaAbi.CreateQpResp;
import io.github.rdma4j.internal.pvrdma.PvrdmaAbi.CreateSrq;
import io.github.rdma4j.internal.pvrdma.PvrdmaAbi.CreateSrqResp;
import io.github.rdma4j.internal.pvrdma.Wqe.Cqe;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** An open device. */
record PvrdmaContext(PvrdmaParts parts) implements DriverContext {
    @Override
    public DriverExchange protectionDomain() {
        return DriverExchange.of(0, AllocPdResp.BYTES);
    }

    @Override
    public int entriesToRequest(int wanted) {
        return Sizes.slots(wanted);
    }

    /** The driver passes the capacities on unchanged, and the device accepts powers of two only. */
    @Override
    public QpCap capacitiesToRequest(QpCap wanted) {
        return new QpCap(
                Sizes.slots(wanted.maxSendWr()),
                Sizes.slots(wanted.maxReceiveWr()),
                RingMath.toPowerOfTwo(wanted.maxSendSge()),
                RingMath.toPowerOfTwo(wanted.maxReceiveSge()),
                wanted.maxInline());
    }

    @Override
    public Creation<Created.Cq, CompletionRing> completionQueue(int entries) throws RdmaException {
        RingMemory memory = ringBehindIndexes(entries * Cqe.BYTES, "pvrdma completion ring");
        return Creation.of(
                DriverExchange.of(CreateCq.BYTES, CreateCqResp.BYTES, request -> {
                    request.putAddress(CreateCq.BUF_ADDR, memory, 0);
                    request.putInt(CreateCq.BUF_SIZE, memory.buffer().capacity());
                }),
                granted -> {
                    Creation.requireGranted("CREATE_CQ of vmw_pvrdma, cqe", granted.cqe(), entries);
                    int number = granted.driverReply().getInt(CreateCqResp.CQN);
                    return new PvrdmaCompletionRing(parts, memory, entries, number);
                },
                destroyed -> memory.retire());
    }

    @Override
    public Creation<Created.Qp, QueueRings> queuePair(QueuePairRequest request) throws RdmaException {
        QpCap cap = request.cap();
        RingMemory sends = ringBehindIndexes(cap.maxSendWr() * PvrdmaSendRing.slotBytes(cap), "pvrdma send ring");
        RingMemory receives = request.shared() != null ? null : Undo.onFailure(() -> receiveRing(cap), sends::retire);
        return Creation.of(
                DriverExchange.of(CreateQp.BYTES, CreateQpResp.BYTES, driver -> {
                    if (receives != null) {
                        driver.putAddress(CreateQp.RBUF_ADDR, receives, 0);
                        driver.putInt(CreateQp.RBUF_SIZE, receives.buffer().capacity());
                    }
                    driver.putAddress(CreateQp.SBUF_ADDR, sends, 0);
                    driver.putInt(CreateQp.SBUF_SIZE, sends.buffer().capacity());
                }),
                granted -> rings(request, granted, sends, receives),
                destroyed -> {
                    sends.retire();
                    if (receives != null) {
                        receives.retire();
                    }
                });
    }

    /** Allocates a page for indexes, followed by a ring of {@code bytes}. */
    private RingMemory ringBehindIndexes(int bytes, String what) throws RdmaException {
        int page = parts.device().pageSize();
        return parts.device().allocate(page + Sizes.pages(bytes, page), what);
    }

    private RingMemory receiveRing(QpCap cap) throws RdmaException {
        int bytes = cap.maxReceiveWr() * PvrdmaReceiveRing.slotBytes(cap.maxReceiveSge());
        return parts.device().allocate(Sizes.pages(bytes, parts.device().pageSize()), "pvrdma receive ring");
    }

    /** The indexes of the receive ring are beside those of the send ring. */
    private QueueRings rings(
            QueuePairRequest request, Created.Qp granted, RingMemory sends, @Nullable RingMemory receives)
            throws MalformedReplyException {
        ByteBuffer reply = granted.driverReply();
        QpCap cap = request.cap();
        // older kernels leave the reply empty: the device's number is then the handle
        boolean told = reply.getInt(CreateQpResp.QPN) == granted.qpn();
        int handle = told ? reply.getInt(CreateQpResp.QP_HANDLE) : granted.qpn();
        parts.numbers().put(handle, granted.qpn());
        PvrdmaSendRing send =
                new PvrdmaSendRing(parts, sends, handle, cap, request.type().isDatagram());
        PvrdmaReceiveRing receive = receives == null
                ? null
                : new PvrdmaReceiveRing(
                        receives,
                        0,
                        new RingIndexes(sends.buffer(), RingIndexes.RECEIVE, cap.maxReceiveWr()),
                        cap.maxReceiveSge(),
                        () -> parts.ringQueuePair(handle, PvrdmaAbi.PVRDMA_UAR_QP_RECV));
        return new PvrdmaQueueRings(parts, handle, granted.qpn(), send, receive);
    }

    @Override
    public int receivesToRequest(int wanted) {
        return Sizes.slots(wanted);
    }

    @Override
    public Creation<Created.Srq, SharedReceiveRing> sharedReceiveQueue(int maxWr, int maxSge) throws RdmaException {
        int slots = receivesToRequest(maxWr);
        RingMemory memory =
                ringBehindIndexes(slots * PvrdmaReceiveRing.slotBytes(maxSge), "pvrdma shared receive ring");
        return Creation.of(
                DriverExchange.of(CreateSrq.BYTES, CreateSrqResp.BYTES, request -> {
                    request.putAddress(CreateSrq.BUF_ADDR, memory, 0);
                    request.putInt(CreateSrq.BUF_SIZE, memory.buffer().capacity());
                }),
                granted -> {
                    Creation.requireGranted("CREATE_SRQ of vmw_pvrdma, max_wr", granted.maxWr(), slots);
                    int number = granted.driverReply().getInt(CreateSrqResp.SRQN);
                    RingIndexes indexes = new RingIndexes(memory.buffer(), RingIndexes.RECEIVE, slots);
                    int first = parts.device().pageSize();
                    return new PvrdmaReceiveRing(
                            memory, first, indexes, maxSge, () -> parts.ringSharedReceives(number));
                },
                destroyed -> memory.retire());
    }

    @Override
    public Lock queueNumberLock() {
        return parts.numbers().lock();
    }

    @Override
    public boolean hasAddressHandleCommand() {
        return false;
    }

    @Override
    public Creation<Created.Ah, AddressVector> addressHandle(Created.Pd pd, AhAttr attributes) throws RdmaException {
        if (!attributes.isGlobal()) {
            throw new IllegalArgumentException("vmw_pvrdma needs the GID of the peer: the address must be global");
        }
        int pdn = pd.driverReply().getInt(AllocPdResp.PDN);
        PvrdmaAddress address = PvrdmaAddress.of(pdn, attributes, parts.device().hardwareAddress(attributes));
        return Creation.of(0, granted -> address);
    }

    @Override
    public void close() {
        parts.registers().retire();
    }
}
