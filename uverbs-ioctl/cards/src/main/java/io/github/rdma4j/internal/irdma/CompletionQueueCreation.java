// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.Elements.Shadow;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateCq;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateCqResp;
import io.github.rdma4j.internal.irdma.RegisteredMemory.Parts;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;

/**
 * The driver's part of CREATE_CQ. The shadow area is behind the ring, or in separate memory if the ring can be
 * replaced.
 */
final class CompletionQueueCreation implements Creation<Created.Cq, CompletionRing> {
    private final IrdmaParts parts;
    private final int entries;
    private final RegisteredMemory ring;
    private final CompletionShadow shadow;

    private CompletionQueueCreation(IrdmaParts parts, int entries, RegisteredMemory ring, CompletionShadow shadow) {
        this.parts = parts;
        this.entries = entries;
        this.ring = ring;
        this.shadow = shadow;
    }

    /** Prepares a ring of {@code entries}. */
    static CompletionQueueCreation prepare(IrdmaParts parts, int entries) throws RdmaException {
        int bytes = CompletionEntries.bytes(entries, isWide(parts));
        if (!parts.attributes().has(Attributes.RESIZES)) {
            RegisteredMemory both = parts.take(bytes + Shadow.BYTES, Parts.completions(bytes));
            return Undo.onFailure(
                    () -> new CompletionQueueCreation(parts, entries, both, CompletionShadow.behind(both, bytes)),
                    () -> both.release(true));
        }
        RegisteredMemory ring = parts.take(bytes, Parts.completions(bytes));
        return Undo.onFailure(
                () -> new CompletionQueueCreation(
                        parts,
                        entries,
                        ring,
                        CompletionShadow.in(parts.take(Shadow.BYTES, Parts.completions(Elements.PAGE)))),
                () -> ring.release(true));
    }

    private static boolean isWide(IrdmaParts parts) {
        return parts.attributes().has(Attributes.WIDE_COMPLETIONS);
    }

    @Override
    public int requestBytes() {
        return CreateCq.BYTES;
    }

    @Override
    public void writeRequest(DriverRequest request) {
        request.putAddress(CreateCq.USER_CQ_BUF, ring.memory(), 0);
        request.putAddress(CreateCq.USER_SHADOW_AREA, shadow.memory().memory(), shadow.offset());
    }

    @Override
    public int replyBytes() {
        return CreateCqResp.BYTES;
    }

    /** Checks nothing: the kernel grants the requested size, and some kernels omit it from the reply. */
    @Override
    public CompletionRing finish(Created.Cq granted) throws MalformedReplyException {
        int size = granted.driverReply().getInt(CreateCqResp.CQ_SIZE);
        if (size != 0 && size != entries) {
            throw new MalformedReplyException(
                    "irdma_create_cq_resp, cq_size " + size + " where " + entries + " was asked for",
                    CreateCqResp.CQ_SIZE,
                    CreateCqResp.BYTES);
        }
        int number = granted.driverReply().getInt(CreateCqResp.CQ_ID);
        return new IrdmaCompletionRing(parts, new CompletionEntries(ring, entries, isWide(parts)), shadow, number);
    }

    @Override
    public void abandon(boolean destroyed) {
        ring.release(destroyed);
        shadow.release(destroyed);
    }
}
