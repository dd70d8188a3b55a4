// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateSrq;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateSrqResp;
import io.github.rdma4j.internal.mlx4.RingSizes.SharedReceiveSizes;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import org.jspecify.annotations.Nullable;

/** The driver's part of CREATE_SRQ. */
final class SharedReceiveQueueCreation extends QueueCreation<Created.Srq, SharedReceiveRing> {
    private final SharedReceiveSizes sizes;

    /** The completion queue of an XRC queue; null for other queues. */
    private final @Nullable Mlx4CompletionRing cq;

    /** {@code cq} is the completion queue of an XRC queue; null for other queues. */
    SharedReceiveQueueCreation(Mlx4Context context, SharedReceiveSizes sizes, @Nullable Mlx4CompletionRing cq)
            throws RdmaException {
        super(context, sizes.bytes(), "mlx4 shared receive ring", true);
        this.sizes = sizes;
        this.cq = cq;
        Mlx4SharedReceiveRing.link(sizes, memory().buffer());
    }

    @Override
    public int requestBytes() {
        return CreateSrq.BYTES;
    }

    @Override
    public void writeRequest(DriverRequest request) {
        putAddresses(request, CreateSrq.BUF_ADDR, CreateSrq.DB_ADDR);
    }

    @Override
    public int replyBytes() {
        return CreateSrqResp.BYTES;
    }

    @Override
    public SharedReceiveRing finish(Created.Srq granted) throws MalformedReplyException {
        if (granted.maxWr() != sizes.entries() - 1) {
            throw new MalformedReplyException("CREATE_SRQ of mlx4, max_wr " + granted.maxWr(), 0, Integer.BYTES);
        }
        if (cq == null) {
            return new Mlx4SharedReceiveRing(context(), sizes, memory(), record(), null);
        }
        int number = granted.driverReply().getInt(CreateSrqResp.SRQN);
        Mlx4SharedReceiveRing.Xrc xrc = new Mlx4SharedReceiveRing.Xrc(number, cq);
        Mlx4SharedReceiveRing ring = new Mlx4SharedReceiveRing(context(), sizes, memory(), record(), xrc);
        context().xrcQueues().put(number, ring);
        return ring;
    }
}
