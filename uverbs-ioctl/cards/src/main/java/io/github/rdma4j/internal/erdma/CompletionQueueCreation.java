// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateCqResp;
import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateQp;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.QueueCreation;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;

/** The driver's part of CREATE_CQ. */
final class CompletionQueueCreation extends QueueCreation<Created.Cq, CompletionRing> {
    private final ErdmaParts parts;
    private final int entries;

    /** Creates a ring of {@code entries}, a power of two. */
    CompletionQueueCreation(ErdmaParts parts, int entries) throws RdmaException {
        super(
                parts.take(Sizes.pages(entries << Elements.BLOCK_SHIFT), "erdma completion ring"),
                ErdmaParts.form(CreateCqResp.BYTES));
        this.parts = parts;
        this.entries = entries;
    }

    @Override
    public void writeRequest(DriverRequest request) {
        super.writeRequest(request);
        request.putInt(CreateQp.QBUF_LEN, memory().bytes().capacity());
    }

    @Override
    public CompletionRing finish(Created.Cq granted) throws MalformedReplyException {
        int depth = granted.driverReply().getInt(CreateCqResp.NUM_CQE);
        if (!Sizes.isPowerOfTwo(depth) || depth > entries) {
            throw new MalformedReplyException(
                    "erdma_uresp_create_cq, num_cqe " + depth, CreateCqResp.NUM_CQE, CreateCqResp.BYTES);
        }
        int cqn = granted.driverReply().getInt(CreateCqResp.CQ_ID);
        return new ErdmaCompletionRing(parts.queues(), memory(), depth, cqn, parts.doorbells());
    }
}
