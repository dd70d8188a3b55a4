// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverExchange.DriverRequest;
import io.github.rdma4j.internal.pvrdma.PvrdmaAbi.CreateCq;
import io.github.rdma4j.internal.pvrdma.PvrdmaAbi.CreateCqResp;
import io.github.rdma4j.internal.pvrdma.Wqe.Cqe;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;

/**
 * The driver's part of CREATE_CQ.
 *
 * @param parts the shared parts of the device
 * @param memory a page with the indexes, followed by the ring
 * @param entries a power of two
 */
record CompletionQueueCreation(PvrdmaParts parts, RingMemory memory, int entries)
        implements Creation<Created.Cq, CompletionRing> {
    static CompletionQueueCreation prepare(PvrdmaParts parts, int entries) throws RdmaException {
        int page = parts.device().pageSize();
        int bytes = page + Sizes.pages(entries * Cqe.BYTES, page);
        return new CompletionQueueCreation(parts, parts.device().allocate(bytes, "pvrdma completion ring"), entries);
    }

    @Override
    public int requestBytes() {
        return CreateCq.BYTES;
    }

    @Override
    public void writeRequest(DriverRequest request) {
        request.putAddress(CreateCq.BUF_ADDR, memory, 0);
        request.putInt(CreateCq.BUF_SIZE, memory.buffer().capacity());
    }

    @Override
    public int replyBytes() {
        return CreateCqResp.BYTES;
    }

    @Override
    public CompletionRing finish(Created.Cq granted) throws MalformedReplyException {
        if (granted.cqe() != entries) {
            throw new MalformedReplyException("CREATE_CQ of vmw_pvrdma, cqe " + granted.cqe(), 0, Integer.BYTES);
        }
        return new PvrdmaCompletionRing(
                parts, memory, entries, granted.driverReply().getInt(CreateCqResp.CQN));
    }

    @Override
    public void abandon(boolean destroyed) {
        memory.retire();
    }
}
