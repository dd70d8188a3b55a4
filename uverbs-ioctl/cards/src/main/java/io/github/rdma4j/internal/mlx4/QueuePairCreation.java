// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.connectx.ConnectxQueueRings.Ends;
import io.github.rdma4j.internal.connectx.ConnectxReceiveRing;
import io.github.rdma4j.internal.connectx.ConnectxSendRing.Identity;
import io.github.rdma4j.internal.connectx.DoorbellWords;
import io.github.rdma4j.internal.connectx.RingSizes.ReceiveSizes;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateQp;
import io.github.rdma4j.internal.mlx4.Mlx4Sizes.SendSizes;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.QueueCreation;
import io.github.rdma4j.internal.provider.QueueMemory;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import org.jspecify.annotations.Nullable;

/** The driver's part of CREATE_QP. The ring with the larger entries comes first. */
final class QueuePairCreation extends QueueCreation<Created.Qp, QueueRings> {
    private static final Form FORM = new Form(CreateQp.BYTES, CreateQp.BUF_ADDR, CreateQp.DB_ADDR, 0);

    private final Mlx4Parts parts;
    private final QueuePairRequest request;
    private final SendSizes sends;
    private final ReceiveSizes receives;

    private QueuePairCreation(
            Mlx4Parts parts, QueuePairRequest request, SendSizes sends, ReceiveSizes receives, QueueMemory memory) {
        super(memory, FORM);
        this.parts = parts;
        this.request = request;
        this.sends = sends;
        this.receives = receives;
    }

    /** Only the receive ring has a doorbell record. */
    static QueuePairCreation prepare(Mlx4Parts parts, QueuePairRequest request) throws RdmaException {
        SendSizes sends = SendSizes.of(request.type(), request.cap());
        boolean hasReceives = request.shared() == null && !request.type().isXrc();
        ReceiveSizes receives = hasReceives ? Mlx4Sizes.receives(request.cap()) : ReceiveSizes.NONE;
        int bytes = receives.bytes() + sends.bytes();
        QueueMemory memory = hasReceives
                ? parts.shared().take(bytes, "mlx4 queue pair")
                : parts.shared().takeWithoutRecord(bytes, "mlx4 queue pair");
        return new QueuePairCreation(parts, request, sends, receives, memory);
    }

    @Override
    public void writeRequest(DriverRequest request) {
        super.writeRequest(request);
        request.putByte(CreateQp.LOG_SQ_BB_COUNT, sends.logCount());
        request.putByte(CreateQp.LOG_SQ_STRIDE, sends.shift());
    }

    @Override
    public QueueRings finish(Created.Qp granted) throws MalformedReplyException {
        int qpn = granted.qpn();
        Mlx4SendRing send = new Mlx4SendRing(
                sends, memory().part(sendsAt(), sends.bytes()), Identity.of(qpn, request), parts.doorbells());
        return new Mlx4QueueRings(parts, memory(), Ends.of(qpn, qpn, request), send, receiveRing()).register();
    }

    private int sendsAt() {
        return receives.shift() > sends.shift() ? receives.bytes() : 0;
    }

    private @Nullable ConnectxReceiveRing receiveRing() {
        if (receives.entries() == 0) {
            return null;
        }
        int at = sendsAt() == 0 ? sends.bytes() : 0;
        return new ConnectxReceiveRing(receives, memory().part(at, receives.bytes()), DoorbellWords.of(memory()));
    }
}
