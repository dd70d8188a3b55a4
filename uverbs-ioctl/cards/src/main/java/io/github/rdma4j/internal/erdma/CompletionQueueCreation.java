// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateCqResp;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;

/** The driver's part of CREATE_CQ. */
final class CompletionQueueCreation extends QueueCreation<Created.Cq, CompletionRing> {
    private final int entries;

    private CompletionQueueCreation(ErdmaContext context, int entries) throws RdmaException {
        super(context, Sizes.pages(entries << Elements.BLOCK_SHIFT), "erdma completion ring");
        this.entries = entries;
    }

    /** A ring of {@code entries}, a power of two. */
    static CompletionQueueCreation prepare(ErdmaContext context, int entries) throws RdmaException {
        return new CompletionQueueCreation(context, entries);
    }

    @Override
    public int replyBytes() {
        return CreateCqResp.BYTES;
    }

    @Override
    public CompletionRing finish(Created.Cq granted) throws MalformedReplyException {
        int depth = granted.driverReply().getInt(CreateCqResp.NUM_CQE);
        if (!Sizes.isPowerOfTwo(depth) || depth > entries) {
            throw new MalformedReplyException(
                    "erdma_uresp_create_cq, num_cqe " + depth, CreateCqResp.NUM_CQE, CreateCqResp.BYTES);
        }
        int cqn = granted.driverReply().getInt(CreateCqResp.CQ_ID);
        return new ErdmaCompletionRing(context(), memory(), depth, cqn, record());
    }
}
