// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateQp;
import io.github.rdma4j.internal.mlx4.RingSizes.ReceiveSizes;
import io.github.rdma4j.internal.mlx4.RingSizes.SendSizes;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The driver's part of CREATE_QP. The ring with the larger entries comes first. */
final class QueuePairCreation extends QueueCreation<Created.Qp, QueueRings> {
    private final QueuePairRequest request;
    private final SendSizes sends;
    private final ReceiveSizes receives;

    private QueuePairCreation(Mlx4Context context, QueuePairRequest request, SendSizes sends, ReceiveSizes receives)
            throws RdmaException {
        super(context, receives.bytes() + sends.bytes(), "mlx4 queue pair", hasReceives(request));
        this.request = request;
        this.sends = sends;
        this.receives = receives;
    }

    static QueuePairCreation prepare(Mlx4Context context, QueuePairRequest request) throws RdmaException {
        SendSizes sends = SendSizes.of(request.type(), request.cap());
        ReceiveSizes receives = hasReceives(request) ? ReceiveSizes.of(request.cap()) : ReceiveSizes.NONE;
        return new QueuePairCreation(context, request, sends, receives);
    }

    private static boolean hasReceives(QueuePairRequest request) {
        return request.shared() == null && !request.type().isXrc();
    }

    @Override
    public int requestBytes() {
        return CreateQp.BYTES;
    }

    @Override
    public void writeRequest(DriverRequest request) {
        putAddresses(request, CreateQp.BUF_ADDR, CreateQp.DB_ADDR);
        request.putByte(CreateQp.LOG_SQ_BB_COUNT, sends.logCount());
        request.putByte(CreateQp.LOG_SQ_STRIDE, sends.shift());
    }

    @Override
    public QueueRings finish(Created.Qp granted) throws MalformedReplyException {
        int qpn = granted.qpn();
        Mlx4QueueRings.Ends ends = new Mlx4QueueRings.Ends(
                qpn,
                request.type().isDatagram(),
                (Mlx4CompletionRing) request.sendCq(),
                (Mlx4CompletionRing) request.receiveCq(),
                (Mlx4SharedReceiveRing) request.shared());
        Mlx4SendRing send = new Mlx4SendRing(
                sends,
                part(sendsAt(), sends.bytes()),
                new Mlx4SendRing.Identity(
                        qpn,
                        request.signalAll(),
                        request.type().isDatagram(),
                        request.type().isXrc()),
                context().doorbells());
        Mlx4QueueRings.Places places = new Mlx4QueueRings.Places(memory(), recordOrNull());
        Mlx4QueueRings rings = new Mlx4QueueRings(context(), places, ends, send, receiveRing());
        context().queues().put(qpn, rings);
        return rings;
    }

    private int sendsAt() {
        return receives.shift() > sends.shift() ? receives.bytes() : 0;
    }

    private @Nullable Mlx4ReceiveRing receiveRing() {
        int at = sendsAt() == 0 ? sends.bytes() : 0;
        return receives.entries() > 0 ? new Mlx4ReceiveRing(receives, part(at, receives.bytes()), record()) : null;
    }

    private ByteBuffer part(int at, int bytes) {
        return memory().buffer().slice(at, bytes);
    }
}
