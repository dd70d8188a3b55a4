// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.provider.Created;
import io.github.rdma4j.verbs.provider.DriverRequest;
import io.github.rdma4j.verbs.provider.SharedReceiveRing;

/** The driver's part of CREATE_SRQ. */
final class SharedReceiveQueueCreation extends QueueCreation<Created.Srq, SharedReceiveRing> {
    private final ReceiveSizes sizes;

    private SharedReceiveQueueCreation(Mlx5Context context, ReceiveSizes sizes) throws RdmaException {
        super(context, sizes.bytes(), "mlx5 shared receive ring");
        this.sizes = sizes;
        Mlx5SharedReceiveRing.link(sizes, memory().buffer());
    }

    static SharedReceiveQueueCreation prepare(Mlx5Context context, ReceiveSizes sizes) throws RdmaException {
        return new SharedReceiveQueueCreation(context, sizes);
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
            throw new MalformedReplyException("CREATE_SRQ of mlx5, max_wr " + granted.maxWr(), 0, Integer.BYTES);
        }
        return new Mlx5SharedReceiveRing(context(), sizes, memory(), record());
    }
}
