// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.mlx5.Cqe.Cqe64;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateCq;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateCqResp;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverExchange.DriverRequest;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;

/** The driver's part of CREATE_CQ. */
final class CompletionQueueCreation extends QueueCreation<Created.Cq, CompletionRing> {
    private final int entries;

    /** The page in which the queue is armed; 0 in static mode. */
    private final int pageId;

    private CompletionQueueCreation(Mlx5Context context, int entries, int pageId) throws RdmaException {
        super(context, entries << Mlx5CompletionRing.ENTRY_SHIFT, "mlx5 completion ring");
        this.entries = entries;
        this.pageId = pageId;
        Mlx5CompletionRing.handOver(memory().buffer(), entries);
    }

    /** A ring of {@code entries}, a power of two. */
    static CompletionQueueCreation prepare(Mlx5Context context, int entries) throws RdmaException {
        return new CompletionQueueCreation(context, entries, context.doorbells().shortPageId());
    }

    @Override
    public int requestBytes() {
        return CreateCq.BYTES;
    }

    @Override
    public void writeRequest(DriverRequest request) {
        putAddresses(request, CreateCq.BUF_ADDR, CreateCq.DB_ADDR);
        request.putInt(CreateCq.CQE_SIZE, Cqe64.BYTES);
        request.putShort(CreateCq.FLAGS, Mlx5Abi.MLX5_IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX);
        request.putShort(CreateCq.UAR_PAGE_INDEX, pageId);
    }

    @Override
    public int replyBytes() {
        return CreateCqResp.BYTES;
    }

    @Override
    public CompletionRing finish(Created.Cq granted) throws MalformedReplyException {
        if (granted.cqe() != entries - 1) {
            throw new MalformedReplyException("CREATE_CQ of mlx5, cqe " + granted.cqe(), 0, Integer.BYTES);
        }
        int cqn = granted.driverReply().getInt(CreateCqResp.CQN);
        return new Mlx5CompletionRing(context(), memory(), entries, cqn, record());
    }
}
