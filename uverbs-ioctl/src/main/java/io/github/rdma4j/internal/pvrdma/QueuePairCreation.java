// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.provider.Created;
import io.github.rdma4j.verbs.provider.Creation;
import io.github.rdma4j.verbs.provider.DriverRequest;
import io.github.rdma4j.verbs.provider.QueuePairRequest;
import io.github.rdma4j.verbs.provider.QueueRings;
import io.github.rdma4j.verbs.provider.RingMemory;
import java.nio.ByteBuffer;

/**
 * The driver's part of CREATE_QP.
 *
 * @param context the device
 * @param request what is wanted, with capacities that are powers of two
 * @param sends a page with the indexes of both rings, and the send ring behind it
 * @param receives the receive ring
 */
record QueuePairCreation(PvrdmaContext context, QueuePairRequest request, RingMemory sends, RingMemory receives)
        implements Creation<Created.Qp, QueueRings> {
    static QueuePairCreation prepare(PvrdmaContext context, QueuePairRequest request) throws RdmaException {
        int page = context.device().pageSize();
        int sendBytes = request.cap().maxSendWr() * PvrdmaSendRing.slotBytes(request.cap());
        RingMemory sends = context.device().allocate(page + Sizes.pages(sendBytes, page), "pvrdma send ring");
        boolean done = false;
        try {
            int receiveBytes = request.cap().maxRecvWr() * PvrdmaReceiveRing.slotBytes(request.cap());
            RingMemory receives = context.device().allocate(Sizes.pages(receiveBytes, page), "pvrdma receive ring");
            done = true;
            return new QueuePairCreation(context, request, sends, receives);
        } finally {
            if (!done) {
                sends.retire();
            }
        }
    }

    @Override
    public int requestBytes() {
        return CreateQp.BYTES;
    }

    @Override
    public void writeRequest(DriverRequest driverRequest) {
        driverRequest.putAddress(CreateQp.RBUF_ADDR, receives, 0);
        driverRequest.putAddress(CreateQp.SBUF_ADDR, sends, 0);
        driverRequest.putInt(CreateQp.RBUF_SIZE, receives.buffer().capacity());
        driverRequest.putInt(CreateQp.SBUF_SIZE, sends.buffer().capacity());
    }

    @Override
    public int replyBytes() {
        return CreateQpResp.BYTES;
    }

    @Override
    public QueueRings finish(Created.Qp granted) throws MalformedReplyException {
        ByteBuffer reply = granted.driverReply();
        // Older kernels leave the reply empty: the device's number is the handle.
        boolean told = reply.getInt(CreateQpResp.QPN) == granted.qpn();
        int handle = told ? reply.getInt(CreateQpResp.QP_HANDLE) : granted.qpn();
        context.numbers().put(handle, granted.qpn());
        return new PvrdmaQueueRings(
                context,
                handle,
                new PvrdmaSendRing(context, sends, handle, request.cap()),
                new PvrdmaReceiveRing(context, sends, receives, handle, request.cap()));
    }

    @Override
    public void abandon(boolean destroyed) {
        sends.retire();
        receives.retire();
    }
}
