// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateSrq;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateSrqResp;
import io.github.rdma4j.internal.mlx5.RingSizes.SharedReceiveSizes;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverExchange.DriverRequest;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import org.jspecify.annotations.Nullable;

/** The driver's part of CREATE_SRQ. */
final class SharedReceiveQueueCreation extends QueueCreation<Created.Srq, SharedReceiveRing> {
    private final SharedReceiveSizes sizes;

    /** The completion queue of receives; null unless the queue is an XRC queue. */
    private final @Nullable Mlx5CompletionRing cq;

    private final int index;

    private SharedReceiveQueueCreation(Mlx5Context context, SharedReceiveSizes sizes, @Nullable Mlx5CompletionRing cq)
            throws RdmaException {
        super(context, sizes.bytes(), "mlx5 shared receive ring");
        this.sizes = sizes;
        this.cq = cq;
        this.index = cq == null ? UserIndexes.NONE : context.takeIndex();
        Mlx5SharedReceiveRing.link(sizes, memory().buffer());
    }

    /** {@code cq} is the completion queue of an XRC queue; null for other queues. */
    static SharedReceiveQueueCreation prepare(
            Mlx5Context context, SharedReceiveSizes sizes, @Nullable Mlx5CompletionRing cq) throws RdmaException {
        return new SharedReceiveQueueCreation(context, sizes, cq);
    }

    @Override
    public int requestBytes() {
        return CreateSrq.BYTES;
    }

    @Override
    public void writeRequest(DriverRequest request) {
        putAddresses(request, CreateSrq.BUF_ADDR, CreateSrq.DB_ADDR);
        if (cq != null) {
            request.putInt(CreateSrq.UIDX, index);
        }
    }

    @Override
    public int replyBytes() {
        return CreateSrqResp.BYTES;
    }

    @Override
    public SharedReceiveRing finish(Created.Srq granted) throws MalformedReplyException {
        if (granted.maxWr() != sizes.toRequest()) {
            throw new MalformedReplyException("CREATE_SRQ of mlx5, max_wr " + granted.maxWr(), 0, Integer.BYTES);
        }
        if (cq == null) {
            return new Mlx5SharedReceiveRing(context(), sizes, memory(), record(), null);
        }
        int number = index == UserIndexes.NONE ? granted.driverReply().getInt(CreateSrqResp.SRQN) : index;
        Mlx5SharedReceiveRing.Xrc xrc = new Mlx5SharedReceiveRing.Xrc(number, cq);
        Mlx5SharedReceiveRing ring = new Mlx5SharedReceiveRing(context(), sizes, memory(), record(), xrc);
        context().xrcQueues().put(number, ring);
        return ring;
    }

    @Override
    public void abandon(boolean destroyed) {
        super.abandon(destroyed);
        if (destroyed) {
            context().releaseIndex(index);
        }
    }
}
