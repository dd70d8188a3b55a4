// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateCq;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateCqResp;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;

/** The driver's part of CREATE_CQ. */
final class CompletionQueueCreation extends QueueCreation<Created.Cq, CompletionRing> {
    private final int entries;

    /** A ring of {@code entries}, a power of two. */
    CompletionQueueCreation(Mlx4Context context, int entries) throws RdmaException {
        super(context, entries << context.entryShift(), "mlx4 completion ring", true);
        this.entries = entries;
        Entries.of(context, memory(), entries).disown(0);
    }

    @Override
    public int requestBytes() {
        return CreateCq.BYTES;
    }

    @Override
    public void writeRequest(DriverRequest request) {
        putAddresses(request, CreateCq.BUF_ADDR, CreateCq.DB_ADDR);
    }

    @Override
    public int replyBytes() {
        return CreateCqResp.BYTES;
    }

    @Override
    public CompletionRing finish(Created.Cq granted) throws MalformedReplyException {
        if (granted.cqe() != entries - 1) {
            throw new MalformedReplyException("CREATE_CQ of mlx4, cqe " + granted.cqe(), 0, Integer.BYTES);
        }
        int cqn = granted.driverReply().getInt(CreateCqResp.CQN);
        return new Mlx4CompletionRing(context(), Entries.of(context(), memory(), entries), cqn, record());
    }
}
