// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateQp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateQpResp;
import io.github.rdma4j.internal.mlx5.RingSizes.ReceiveSizes;
import io.github.rdma4j.internal.mlx5.RingSizes.SendSizes;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.DriverExchange.DriverRequest;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The driver's part of CREATE_QP. */
final class QueuePairCreation extends QueueCreation<Created.Qp, QueueRings> {
    private final QueuePairRequest request;
    private final SendSizes sends;
    private final ReceiveSizes receives;
    private final int index;

    private QueuePairCreation(Mlx5Context context, QueuePairRequest request, SendSizes sends, ReceiveSizes receives)
            throws RdmaException {
        super(context, receives.bytes() + sends.bytes(), "mlx5 queue pair");
        this.request = request;
        this.sends = sends;
        this.receives = receives;
        this.index = context.takeIndex();
    }

    static QueuePairCreation prepare(Mlx5Context context, QueuePairRequest request) throws RdmaException {
        SendSizes sends = SendSizes.of(request.type(), request.cap(), context.limits());
        ReceiveSizes receives =
                request.shared() == null ? ReceiveSizes.of(request.cap(), context.limits()) : ReceiveSizes.NONE;
        return new QueuePairCreation(context, request, sends, receives);
    }

    @Override
    public int requestBytes() {
        return CreateQp.BYTES;
    }

    @Override
    public void writeRequest(DriverRequest request) {
        putAddresses(request, CreateQp.BUF_ADDR, CreateQp.DB_ADDR);
        request.putInt(CreateQp.SQ_WQE_COUNT, sends.blocks());
        request.putInt(CreateQp.RQ_WQE_COUNT, receives.entries());
        request.putInt(CreateQp.RQ_WQE_SHIFT, receives.shift());
        request.putInt(CreateQp.UIDX, index);
        request.putInt(CreateQp.FLAGS, Mlx5Abi.MLX5_QP_FLAG_UAR_PAGE_INDEX);
        request.putInt(CreateQp.BFREG_INDEX, context().doorbells().pageId());
    }

    @Override
    public int replyBytes() {
        return CreateQpResp.BYTES;
    }

    @Override
    public QueueRings finish(Created.Qp granted) throws RdmaException {
        int number = index == UserIndexes.NONE ? granted.qpn() : index;
        Mlx5QueueRings.Ends ends = new Mlx5QueueRings.Ends(
                number,
                granted.qpn(),
                request.type().isDatagram(),
                (Mlx5CompletionRing) request.sendCq(),
                (Mlx5CompletionRing) request.receiveCq(),
                (Mlx5SharedReceiveRing) request.shared());
        Mlx5SendRing send = new Mlx5SendRing(
                sends,
                part(receives.bytes(), sends.bytes()),
                new Mlx5SendRing.Identity(
                        granted.qpn(),
                        request.signalAll(),
                        request.type().isDatagram(),
                        request.type().isXrc()),
                record(),
                context().doorbells().sendRegister());
        Mlx5QueueRings rings = new Mlx5QueueRings(context(), memory(), ends, send, receiveRing());
        context().queues().put(number, rings);
        return rings;
    }

    private @Nullable Mlx5ReceiveRing receiveRing() {
        boolean own = request.shared() == null && !request.type().isXrc();
        return own ? new Mlx5ReceiveRing(receives, part(0, receives.bytes()), record()) : null;
    }

    private ByteBuffer part(int at, int bytes) {
        return memory().buffer().slice(at, bytes);
    }

    @Override
    public void abandon(boolean destroyed) {
        super.abandon(destroyed);
        if (destroyed) {
            context().releaseIndex(index);
        }
    }

    /**
     * The driver's part of CREATE_QP for a target of XRC: zeros but for the user index. Linux 5.15 and later look at
     * nothing of it, and answer nothing.
     *
     * @param index the user index
     */
    record TargetRequest(int index) implements DriverExchange {
        @Override
        public int requestBytes() {
            return CreateQp.BYTES;
        }

        @Override
        public void writeRequest(DriverRequest request) {
            request.putInt(CreateQp.UIDX, index);
        }

        @Override
        public int replyBytes() {
            return CreateQpResp.BYTES;
        }
    }
}
