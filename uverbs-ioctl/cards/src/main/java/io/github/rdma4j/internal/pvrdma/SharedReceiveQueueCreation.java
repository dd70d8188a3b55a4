// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverExchange.DriverRequest;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.pvrdma.PvrdmaAbi.CreateSrq;
import io.github.rdma4j.internal.pvrdma.PvrdmaAbi.CreateSrqResp;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;

/**
 * The driver's part of CREATE_SRQ.
 *
 * @param parts the shared parts of the device
 * @param memory a page with the indexes, followed by the ring
 * @param maxWr a power of two
 * @param maxSge the maximum number of scatter-gather entries of a receive
 */
record SharedReceiveQueueCreation(PvrdmaParts parts, RingMemory memory, int maxWr, int maxSge)
        implements Creation<Created.Srq, SharedReceiveRing> {
    static SharedReceiveQueueCreation prepare(PvrdmaParts parts, int maxWr, int maxSge) throws RdmaException {
        int page = parts.device().pageSize();
        int bytes = page + Sizes.pages(maxWr * PvrdmaReceiveRing.slotBytes(maxSge), page);
        return new SharedReceiveQueueCreation(
                parts, parts.device().allocate(bytes, "pvrdma shared receive ring"), maxWr, maxSge);
    }

    @Override
    public int requestBytes() {
        return CreateSrq.BYTES;
    }

    @Override
    public void writeRequest(DriverRequest request) {
        request.putAddress(CreateSrq.BUF_ADDR, memory, 0);
        request.putInt(CreateSrq.BUF_SIZE, memory.buffer().capacity());
    }

    @Override
    public int replyBytes() {
        return CreateSrqResp.BYTES;
    }

    @Override
    public SharedReceiveRing finish(Created.Srq granted) throws MalformedReplyException {
        if (granted.maxWr() != maxWr) {
            throw new MalformedReplyException("CREATE_SRQ of vmw_pvrdma, max_wr " + granted.maxWr(), 0, Integer.BYTES);
        }
        int number = granted.driverReply().getInt(CreateSrqResp.SRQN);
        RingIndexes indexes = new RingIndexes(memory, RingIndexes.RECEIVE, maxWr);
        int first = parts.device().pageSize();
        return new PvrdmaReceiveRing(memory, first, indexes, maxSge, () -> parts.ringSharedReceives(number));
    }

    @Override
    public void abandon(boolean destroyed) {
        memory.retire();
    }
}
