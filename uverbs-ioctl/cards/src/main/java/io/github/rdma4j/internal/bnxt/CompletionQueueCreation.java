// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateCq;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateCqResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.Newer;
import io.github.rdma4j.internal.bnxt.Elements.Entry;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;

/**
 * The driver's part of CREATE_CQ.
 *
 * @param parts the shared parts of the device
 * @param asked the entries requested by the command
 * @param entries the entries of the ring
 * @param memory the ring
 */
record CompletionQueueCreation(BnxtParts parts, int asked, int entries, RingMemory memory)
        implements Creation<Created.Cq, CompletionRing> {
    static CompletionQueueCreation prepare(BnxtParts parts, int asked) throws RdmaException {
        int entries = parts.sizes().completions(asked);
        RingMemory memory = parts.device().allocate(entries << Entry.SHIFT, "bnxt_re completion ring");
        return new CompletionQueueCreation(parts, asked, entries, memory);
    }

    @Override
    public int requestBytes() {
        return BnxtAbi.CREATE_CQ_REQUEST;
    }

    @Override
    public void writeRequest(DriverRequest request) {
        request.putAddress(CreateCq.CQ_VA, memory, 0);
    }

    @Override
    public int replyBytes() {
        return CreateCqResp.BYTES;
    }

    @Override
    public CompletionRing finish(Created.Cq granted) throws RdmaException {
        ByteBuffer reply = granted.driverReply();
        int number = reply.getInt(CreateCqResp.CQID);
        boolean toggles = (reply.getLong(CreateCqResp.COMP_MASK) & Newer.BNXT_RE_CQ_TOGGLE_PAGE_SUPPORT) != 0;
        CompletionEntries ring = new CompletionEntries(memory, entries, reply.getInt(CreateCqResp.PHASE));
        BnxtCompletionRing.Numbers numbers = new BnxtCompletionRing.Numbers(
                granted.handle(), number, parts.sizes().isDeferred(asked));
        TogglePage page = TogglePage.open(parts.device(), Newer.BNXT_RE_CQ_TOGGLE_MEM, number, toggles);
        return Undo.onFailure(() -> new BnxtCompletionRing(parts, ring, numbers, page), page::retire);
    }

    @Override
    public void abandon(boolean destroyed) {
        memory.retire();
    }
}
