// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.connectx.ConnectxQueueRings;
import io.github.rdma4j.internal.connectx.ConnectxQueueRings.Ends;
import io.github.rdma4j.internal.connectx.ConnectxReceiveRing;
import io.github.rdma4j.internal.connectx.ConnectxSendRing.Identity;
import io.github.rdma4j.internal.connectx.DoorbellWords;
import io.github.rdma4j.internal.connectx.RingSizes.ReceiveSizes;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateQp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateQpResp;
import io.github.rdma4j.internal.mlx5.QueueLimits.SendSizes;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.QueueCreation;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.kernel.RdmaException;
import org.jspecify.annotations.Nullable;

/** The driver's part of CREATE_QP. The memory holds the receive ring, followed by the send ring. */
final class QueuePairCreation extends QueueCreation<Created.Qp, QueueRings> {
    private static final Form FORM = new Form(CreateQp.BYTES, CreateQp.BUF_ADDR, CreateQp.DB_ADDR, CreateQpResp.BYTES);

    private final Mlx5Parts parts;
    private final QueuePairRequest request;
    private final SendSizes sends;
    private final ReceiveSizes receives;
    private final int index;

    private QueuePairCreation(Mlx5Parts parts, QueuePairRequest request, SendSizes sends, ReceiveSizes receives)
            throws RdmaException {
        super(parts.shared().take(receives.bytes() + sends.bytes(), "mlx5 queue pair"), FORM);
        this.parts = parts;
        this.request = request;
        this.sends = sends;
        this.receives = receives;
        this.index = parts.takeIndex();
    }

    static QueuePairCreation prepare(Mlx5Parts parts, QueuePairRequest request) throws RdmaException {
        QueueLimits limits = parts.reply().limits();
        return new QueuePairCreation(
                parts,
                request,
                limits.sends(request.type(), request.cap()),
                request.shared() == null ? limits.receives(request.cap()) : ReceiveSizes.NONE);
    }

    @Override
    public void writeRequest(DriverRequest request) {
        super.writeRequest(request);
        request.putInt(CreateQp.SQ_WQE_COUNT, sends.blocks());
        request.putInt(CreateQp.RQ_WQE_COUNT, receives.entries());
        request.putInt(CreateQp.RQ_WQE_SHIFT, receives.shift());
        request.putInt(CreateQp.UIDX, index);
        request.putInt(CreateQp.FLAGS, Mlx5Abi.MLX5_QP_FLAG_UAR_PAGE_INDEX);
        request.putInt(CreateQp.BFREG_INDEX, parts.doorbells().pageId());
    }

    @Override
    public QueueRings finish(Created.Qp granted) throws RdmaException {
        int number = index == UserIndexes.NONE ? granted.qpn() : index;
        Mlx5SendRing send = new Mlx5SendRing(
                sends,
                memory().part(receives.bytes(), sends.bytes()),
                Identity.of(granted.qpn(), request),
                DoorbellWords.of(memory()),
                parts.doorbells().page());
        return new ConnectxQueueRings(
                        memory(), parts.shared().queues(), Ends.of(number, granted.qpn(), request), send, receiveRing())
                .register();
    }

    private @Nullable ConnectxReceiveRing receiveRing() {
        boolean own = request.shared() == null && !request.type().isXrc();
        return own
                ? new ConnectxReceiveRing(receives, memory().part(0, receives.bytes()), DoorbellWords.of(memory()))
                : null;
    }

    @Override
    public void abandon(boolean destroyed) {
        super.abandon(destroyed);
        if (destroyed) {
            parts.indexes().release(index);
        }
    }

    /**
     * The driver's part of CREATE_QP for a target of XRC: zeros except for the user index. Linux 5.15 and later ignore
     * it, and return nothing.
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
