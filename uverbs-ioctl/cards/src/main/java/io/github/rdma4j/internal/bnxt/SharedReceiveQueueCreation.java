// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateSrq;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateSrqResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.Newer;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;

/**
 * The driver's part of CREATE_SRQ.
 *
 * @param parts the shared parts of the device
 * @param elements the elements of the ring
 * @param maxSge the pieces of memory of a receive
 * @param memory the ring
 */
record SharedReceiveQueueCreation(BnxtParts parts, int elements, int maxSge, RingMemory memory)
        implements Creation<Created.Srq, SharedReceiveRing> {
    private static final int MOST_RECEIVES = 1 << 19;

    static SharedReceiveQueueCreation prepare(BnxtParts parts, int maxWr, int maxSge) throws RdmaException {
        Sizes.require("maxReceiveWr of a shared receive queue", maxWr, MOST_RECEIVES);
        Sizes.require("maxReceiveSge of a shared receive queue", maxSge, Elements.FIXED_PIECES);
        int elements = parts.sizes().depth(maxWr + 1);
        RingMemory memory = parts.device().allocate(elements << Elements.SHARED_SHIFT, "bnxt_re shared receive ring");
        return new SharedReceiveQueueCreation(parts, elements, maxSge, memory);
    }

    @Override
    public int requestBytes() {
        return CreateSrq.BYTES;
    }

    @Override
    public void writeRequest(DriverRequest request) {
        request.putAddress(CreateSrq.SRQVA, memory, 0);
    }

    @Override
    public int replyBytes() {
        return CreateSrqResp.BYTES;
    }

    @Override
    public SharedReceiveRing finish(Created.Srq granted) throws RdmaException {
        ByteBuffer reply = granted.driverReply();
        int number = reply.getInt(CreateSrqResp.SRQID);
        boolean toggles = (reply.getLong(CreateSrqResp.COMP_MASK) & Newer.BNXT_RE_SRQ_TOGGLE_PAGE_SUPPORT) != 0;
        BnxtSharedReceiveRing.Shape shape = new BnxtSharedReceiveRing.Shape(number, elements, maxSge);
        TogglePage page = TogglePage.open(parts.device(), Newer.BNXT_RE_SRQ_TOGGLE_MEM, number, toggles);
        return Undo.onFailure(() -> new BnxtSharedReceiveRing(memory, shape, page, parts.doorbells()), page::retire);
    }

    @Override
    public void abandon(boolean destroyed) {
        memory.retire();
    }
}
