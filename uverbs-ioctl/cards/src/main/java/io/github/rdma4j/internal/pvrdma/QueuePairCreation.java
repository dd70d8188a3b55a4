// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.DriverExchange.DriverRequest;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.pvrdma.PvrdmaAbi.CreateQp;
import io.github.rdma4j.internal.pvrdma.PvrdmaAbi.CreateQpResp;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The driver's part of CREATE_QP.
 *
 * @param parts the shared parts of the device
 * @param request the request, with capacities that are powers of two
 * @param sends a page with the indexes of both rings, followed by the send ring
 * @param receives the receive ring; null with a shared receive queue
 */
record QueuePairCreation(
        PvrdmaParts parts,
        QueuePairRequest request,
        RingMemory sends,
        @Nullable RingMemory receives) implements Creation<Created.Qp, QueueRings> {
    static QueuePairCreation prepare(PvrdmaParts parts, QueuePairRequest request) throws RdmaException {
        int page = parts.device().pageSize();
        int sendBytes = request.cap().maxSendWr() * PvrdmaSendRing.slotBytes(request.cap());
        RingMemory sends = parts.device().allocate(page + Sizes.pages(sendBytes, page), "pvrdma send ring");
        boolean done = false;
        try {
            RingMemory receives = request.shared() == null ? receives(parts, request.cap(), page) : null;
            done = true;
            return new QueuePairCreation(parts, request, sends, receives);
        } finally {
            if (!done) {
                sends.retire();
            }
        }
    }

    private static RingMemory receives(PvrdmaParts parts, QpCap cap, int page) throws RdmaException {
        int bytes = cap.maxReceiveWr() * PvrdmaReceiveRing.slotBytes(cap.maxReceiveSge());
        return parts.device().allocate(Sizes.pages(bytes, page), "pvrdma receive ring");
    }

    @Override
    public int requestBytes() {
        return CreateQp.BYTES;
    }

    @Override
    public void writeRequest(DriverRequest driverRequest) {
        if (receives != null) {
            driverRequest.putAddress(CreateQp.RBUF_ADDR, receives, 0);
            driverRequest.putInt(CreateQp.RBUF_SIZE, receives.buffer().capacity());
        }
        driverRequest.putAddress(CreateQp.SBUF_ADDR, sends, 0);
        driverRequest.putInt(CreateQp.SBUF_SIZE, sends.buffer().capacity());
    }

    @Override
    public int replyBytes() {
        return CreateQpResp.BYTES;
    }

    @Override
    public QueueRings finish(Created.Qp granted) throws MalformedReplyException {
        ByteBuffer reply = granted.driverReply();
        // older kernels leave the reply empty: the device's number is then the handle
        boolean told = reply.getInt(CreateQpResp.QPN) == granted.qpn();
        int handle = told ? reply.getInt(CreateQpResp.QP_HANDLE) : granted.qpn();
        parts.numbers().put(handle, granted.qpn());
        return new PvrdmaQueueRings(
                parts,
                handle,
                granted.qpn(),
                new PvrdmaSendRing(
                        parts, sends, handle, request.cap(), request.type().isDatagram()),
                receives == null ? null : receiveRing(receives, handle));
    }

    private PvrdmaReceiveRing receiveRing(RingMemory memory, int handle) {
        RingIndexes indexes =
                new RingIndexes(sends, RingIndexes.RECEIVE, request.cap().maxReceiveWr());
        return new PvrdmaReceiveRing(
                memory,
                0,
                indexes,
                request.cap().maxReceiveSge(),
                () -> parts.ringQueuePair(handle, PvrdmaAbi.PVRDMA_UAR_QP_RECV));
    }

    @Override
    public void abandon(boolean destroyed) {
        sends.retire();
        if (receives != null) {
            receives.retire();
        }
    }
}
