// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.Elements.Shadow;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateSrq;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateSrqResp;
import io.github.rdma4j.internal.irdma.RegisteredMemory.Parts;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;

/**
 * The driver's part of CREATE_SRQ. The shadow area is behind the pages of the ring.
 *
 * @param parts the shared parts of the device
 * @param elements the elements of the ring
 * @param maxSge the pieces of memory of a receive
 * @param shadowAt the offset of the shadow area in the memory
 * @param memory the ring and the shadow area
 */
record SharedReceiveQueueCreation(IrdmaParts parts, int elements, int maxSge, int shadowAt, RegisteredMemory memory)
        implements Creation<Created.Srq, SharedReceiveRing> {
    static SharedReceiveQueueCreation prepare(IrdmaParts parts, int maxWr, int maxSge) throws RdmaException {
        int elements = parts.sizes().sharedElements(maxWr, maxSge);
        int bytes = Sizes.pages(bytes(elements, maxSge));
        return new SharedReceiveQueueCreation(
                parts, elements, maxSge, bytes, parts.take(bytes + Shadow.BYTES, Parts.shared(bytes)));
    }

    private static int bytes(int elements, int maxSge) {
        return elements << Sizes.sharedShift(maxSge) << Elements.QUANTUM_SHIFT;
    }

    @Override
    public int requestBytes() {
        return CreateSrq.BYTES;
    }

    @Override
    public void writeRequest(DriverRequest request) {
        request.putAddress(CreateSrq.USER_SRQ_BUF, memory.memory(), 0);
        request.putAddress(CreateSrq.USER_SHADOW_AREA, memory.memory(), shadowAt);
    }

    @Override
    public int replyBytes() {
        return CreateSrqResp.BYTES;
    }

    /** The kernel computes the same number of elements as the process. */
    @Override
    public SharedReceiveRing finish(Created.Srq granted) throws MalformedReplyException {
        int size = granted.driverReply().getInt(CreateSrqResp.SRQ_SIZE);
        if (size != elements) {
            throw new MalformedReplyException(
                    "irdma_create_srq_resp, srq_size " + size + " where " + elements + " was asked for",
                    CreateSrqResp.SRQ_SIZE,
                    CreateSrqResp.BYTES);
        }
        ByteBuffer ring = memory.memory().buffer().slice(0, bytes(elements, maxSge));
        int shift = Sizes.sharedShift(maxSge);
        int generation = parts.attributes().generation();
        ReceiveElements of = new ReceiveElements(ring, shift, maxSge, generation);
        return new IrdmaSharedReceiveRing(memory, of, elements, shadowAt);
    }

    @Override
    public void abandon(boolean destroyed) {
        memory.release(destroyed);
    }
}
