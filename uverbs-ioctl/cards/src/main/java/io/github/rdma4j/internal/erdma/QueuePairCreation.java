// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateQp;
import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateQpResp;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.QueueCreation;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.util.Objects;

/** The driver's part of CREATE_QP. */
final class QueuePairCreation extends QueueCreation<Created.Qp, QueueRings> {
    private final ErdmaParts parts;
    private final QueuePairRequest request;

    private QueuePairCreation(ErdmaParts parts, QueuePairRequest request, int bytes) throws RdmaException {
        super(parts.take(bytes, "erdma queue pair"), ErdmaParts.form(CreateQpResp.BYTES));
        this.parts = parts;
        this.request = request;
    }

    static QueuePairCreation prepare(ErdmaParts parts, QueuePairRequest request) throws RdmaException {
        QpCap cap = Sizes.cap(request.cap());
        int sends = Sizes.pages(Sizes.sendBlocks(cap) << Elements.BLOCK_SHIFT);
        return new QueuePairCreation(parts, request, sends + Sizes.pages(Sizes.receives(cap) << Elements.BLOCK_SHIFT));
    }

    @Override
    public void writeRequest(DriverRequest request) {
        super.writeRequest(request);
        request.putInt(CreateQp.QBUF_LEN, memory().bytes().capacity());
    }

    @Override
    public QueueRings finish(Created.Qp granted) throws MalformedReplyException {
        ByteBuffer reply = granted.driverReply();
        int qpn = reply.getInt(CreateQpResp.QP_ID);
        ErdmaCompletionRing sendCq = (ErdmaCompletionRing) request.sendCq();
        ErdmaCompletionRing receiveCq = (ErdmaCompletionRing) Objects.requireNonNull(request.receiveCq());
        DoorbellRecord record = new DoorbellRecord(memory());
        ErdmaSendRing send = new ErdmaSendRing(
                ring(0, reply.getInt(CreateQpResp.NUM_SQE)),
                request.cap(),
                new ErdmaSendRing.Identity(qpn, request.signalAll()),
                record,
                parts.doorbells().sends(qpn));
        ErdmaReceiveRing receive = new ErdmaReceiveRing(
                ring(reply.getInt(CreateQpResp.RQ_OFFSET), reply.getInt(CreateQpResp.NUM_RQE)),
                request.cap().maxReceiveSge(),
                qpn,
                record,
                parts.doorbells().receives(qpn));
        ErdmaQueueRings rings = new ErdmaQueueRings(
                memory(), parts.queues(), new ErdmaQueueRings.Ends(qpn, sendCq, receiveCq), send, receive);
        parts.queues().put(qpn, rings);
        return rings;
    }

    /** The part of the memory with {@code count} elements, a power of two. */
    private ByteBuffer ring(int at, int count) throws MalformedReplyException {
        int room = memory().bytes().capacity();
        boolean fits =
                at >= 0 && at <= room && at % Elements.BLOCK == 0 && count <= (room - at) >> Elements.BLOCK_SHIFT;
        if (!fits || !Sizes.isPowerOfTwo(count)) {
            throw new MalformedReplyException(
                    "erdma_uresp_create_qp, " + count + " elements at " + at + " of " + room + " bytes",
                    CreateQpResp.NUM_SQE,
                    CreateQpResp.BYTES);
        }
        return memory().part(at, count << Elements.BLOCK_SHIFT);
    }
}
