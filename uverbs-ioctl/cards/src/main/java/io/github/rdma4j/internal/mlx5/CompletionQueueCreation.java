// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.connectx.Entries;
import io.github.rdma4j.internal.mlx5.Cqe.Cqe64;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateCq;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateCqResp;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.QueueCreation;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;

/** The driver's part of CREATE_CQ. */
final class CompletionQueueCreation extends QueueCreation<Created.Cq, CompletionRing> {
    private static final Form FORM = new Form(CreateCq.BYTES, CreateCq.BUF_ADDR, CreateCq.DB_ADDR, CreateCqResp.BYTES);

    private final Mlx5Parts parts;
    private final Entries ring;

    /** The page for arming the queue; 0 in static mode. */
    private final int pageId;

    /** Creates a ring of {@code entries}, a power of two, that is armed in the page {@code pageId}. */
    CompletionQueueCreation(Mlx5Parts parts, int entries, int pageId) throws RdmaException {
        super(parts.shared().take(entries << Mlx5CompletionRing.ENTRY_SHIFT, "mlx5 completion ring"), FORM);
        this.parts = parts;
        this.ring = Mlx5CompletionRing.newEntries(memory().bytes(), entries);
        this.pageId = pageId;
    }

    @Override
    public void writeRequest(DriverRequest request) {
        super.writeRequest(request);
        request.putInt(CreateCq.CQE_SIZE, Cqe64.BYTES);
        request.putShort(CreateCq.FLAGS, Mlx5Abi.MLX5_IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX);
        request.putShort(CreateCq.UAR_PAGE_INDEX, pageId);
    }

    @Override
    public CompletionRing finish(Created.Cq granted) throws MalformedReplyException {
        requireGranted("CREATE_CQ of mlx5, cqe", granted.cqe(), ring.count() - 1);
        return new Mlx5CompletionRing(
                parts, memory(), ring, granted.driverReply().getInt(CreateCqResp.CQN));
    }
}
