// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateQp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateQpResp;
import io.github.rdma4j.internal.irdma.RegisteredMemory.Parts;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The driver's part of CREATE_QP. The memory holds the send ring, the receive ring, and a shadow area. */
final class QueuePairCreation implements Creation<Created.Qp, QueueRings> {
    /** The elements that the kernel sends before those of the program, over iWARP. */
    private static final int FIRST_SENDS = 1;

    private static final int FIRST_SENDS_AFTER_RTS = 3;

    private final IrdmaParts parts;
    private final QueuePairRequest request;
    private final int receivesAt;
    private final RegisteredMemory memory;
    private final long completionContext;

    private QueuePairCreation(
            IrdmaParts parts, QueuePairRequest request, int receivesAt, RegisteredMemory memory, long completions) {
        this.parts = parts;
        this.request = request;
        this.receivesAt = receivesAt;
        this.memory = memory;
        this.completionContext = completions;
    }

    /** Prepares the creation; the request has the capacities of {@link Sizes#toRequest}. */
    static QueuePairCreation prepare(IrdmaParts parts, QueuePairRequest request) throws RdmaException {
        Sizes sizes = parts.sizes();
        QpCap cap = sizes.requested(request.cap());
        int sends = Sizes.pages(cap.maxSendWr() << sizes.sendShift(cap) << Elements.QUANTUM_SHIFT);
        int receives = Sizes.pages(cap.maxReceiveWr() << sizes.receiveShift(cap) << Elements.QUANTUM_SHIFT);
        long completions = parts.queues().take();
        return Undo.onFailure(
                () -> new QueuePairCreation(
                        parts,
                        request,
                        sends,
                        parts.take(sends + receives + Elements.Shadow.BYTES, Parts.queues(sends, receives)),
                        completions),
                () -> parts.queues().release(completions));
    }

    @Override
    public int requestBytes() {
        return CreateQp.BYTES;
    }

    @Override
    public void writeRequest(DriverRequest out) {
        out.putAddress(CreateQp.USER_WQE_BUFS, memory.memory(), 0);
        out.putLong(CreateQp.USER_COMPL_CTX, completionContext);
    }

    @Override
    public int replyBytes() {
        return CreateQpResp.BYTES;
    }

    @Override
    public QueueRings finish(Created.Qp granted) throws MalformedReplyException {
        ByteBuffer reply = granted.driverReply();
        QpCap cap = parts.sizes().requested(request.cap());
        int capabilities = reply.getInt(CreateQpResp.QP_CAPS);
        SendSizes sizes = new SendSizes(parts.attributes(), cap, capabilities, firstSends(reply));
        ByteBuffer sends = ring(0, reply.getInt(CreateQpResp.ACTUAL_SQ_SIZE), cap.maxSendWr(), sizes.shift());
        QueueIdentity identity = new QueueIdentity(
                completionContext,
                reply.getInt(CreateQpResp.QP_ID),
                request.type().isDatagram(),
                (capabilities & SendSizes.SENDS_IMMEDIATE) != 0,
                sizes.generation());
        IrdmaQueueRings rings = new IrdmaQueueRings(
                parts.queues(),
                memory,
                new IrdmaQueueRings.Ends(
                        identity,
                        (IrdmaCompletionRing) request.sendCq(),
                        (IrdmaCompletionRing) Objects.requireNonNull(request.receiveCq()),
                        (IrdmaSharedReceiveRing) request.shared()),
                new IrdmaSendRing(sends, sizes, identity, request.signalAll(), parts.doorbells()),
                receives(cap, reply.getInt(CreateQpResp.ACTUAL_RQ_SIZE)));
        parts.queues().put(rings);
        return rings;
    }

    /** Returns null for a queue pair with a shared receive queue, whose receive ring on the device stays empty. */
    private @Nullable IrdmaReceiveRing receives(QpCap cap, int granted) throws MalformedReplyException {
        int shift = parts.sizes().receiveShift(cap);
        ByteBuffer ring = ring(receivesAt, granted, cap.maxReceiveWr(), shift);
        if (request.shared() != null) {
            return null;
        }
        int generation = parts.attributes().generation();
        return new IrdmaReceiveRing(new ReceiveElements(ring, shift, cap.maxReceiveSge(), generation), granted);
    }

    private int firstSends(ByteBuffer reply) {
        Attributes attributes = parts.attributes();
        if (!attributes.legacy() && reply.get(CreateQpResp.LSMM) == 0) {
            return 0;
        }
        return attributes.has(Attributes.SENDS_AFTER_RTS) ? FIRST_SENDS_AFTER_RTS : FIRST_SENDS;
    }

    /** The part of the memory with {@code granted} elements: a power of two, and no more than requested. */
    private ByteBuffer ring(int at, int granted, int asked, int shift) throws MalformedReplyException {
        if (!Sizes.isPowerOfTwo(granted) || granted > asked) {
            throw new MalformedReplyException(
                    "irdma_create_qp_resp, a ring of " + granted + " elements where " + asked + " were asked for",
                    CreateQpResp.ACTUAL_SQ_SIZE,
                    CreateQpResp.BYTES);
        }
        return memory.memory().buffer().slice(at, granted << shift << Elements.QUANTUM_SHIFT);
    }

    @Override
    public void abandon(boolean destroyed) {
        memory.release(destroyed);
        if (destroyed) {
            parts.queues().release(completionContext);
        }
    }
}
