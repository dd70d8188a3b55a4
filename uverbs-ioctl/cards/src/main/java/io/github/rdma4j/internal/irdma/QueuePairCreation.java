// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateQp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateQpResp;
import io.github.rdma4j.internal.irdma.RegisteredMemory.Parts;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.RingMath;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The driver's part of CREATE_QP.
 *
 * @param parts the shared parts of the device
 * @param request the request, with the capacities of {@link Sizes#toRequest}
 */
record QueuePairCreation(IrdmaParts parts, QueuePairRequest request) {
    /** The elements that the kernel sends before those of the program, over iWARP. */
    private static final int FIRST_SENDS = 1;

    private static final int FIRST_SENDS_AFTER_RTS = 3;

    /** Prepares the memory, with the send ring, the receive ring, and a shadow area. */
    Creation<Created.Qp, QueueRings> prepare() throws RdmaException {
        Sizes sizes = parts.sizes();
        QpCap cap = sizes.requested(request.cap());
        int sends = Sizes.pages(cap.maxSendWr() << sizes.sendShift(cap) << Elements.QUANTUM_SHIFT);
        int receives = Sizes.pages(cap.maxReceiveWr() << sizes.receiveShift(cap) << Elements.QUANTUM_SHIFT);
        long context = parts.queues().take();
        RegisteredMemory memory = Undo.onFailure(
                () -> parts.take(sends + receives + Elements.Shadow.BYTES, Parts.queues(sends, receives)),
                () -> parts.queues().release(context));
        return Creation.of(
                DriverExchange.of(CreateQp.BYTES, CreateQpResp.BYTES, out -> {
                    out.putAddress(CreateQp.USER_WQE_BUFS, memory.memory(), 0);
                    out.putLong(CreateQp.USER_COMPL_CTX, context);
                }),
                granted -> rings(granted.driverReply(), cap, memory, sends, context),
                destroyed -> {
                    memory.release(destroyed);
                    if (destroyed) {
                        parts.queues().release(context);
                    }
                });
    }

    private QueueRings rings(ByteBuffer reply, QpCap cap, RegisteredMemory memory, int receivesAt, long context)
            throws MalformedReplyException {
        int capabilities = reply.getInt(CreateQpResp.QP_CAPS);
        SendSizes sizes = new SendSizes(parts.attributes(), cap, capabilities, firstSends(reply));
        ByteBuffer bytes = memory.memory().buffer();
        ByteBuffer sends = ring(bytes, reply.getInt(CreateQpResp.ACTUAL_SQ_SIZE), cap.maxSendWr(), sizes.shift());
        ByteBuffer behind = bytes.slice(receivesAt, bytes.capacity() - receivesAt);
        QueueIdentity identity = new QueueIdentity(
                context,
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
                receives(cap, behind, reply.getInt(CreateQpResp.ACTUAL_RQ_SIZE)));
        parts.queues().put(rings);
        return rings;
    }

    /** Returns null for a queue pair with a shared receive queue, whose receive ring on the device stays empty. */
    private @Nullable IrdmaReceiveRing receives(QpCap cap, ByteBuffer room, int granted)
            throws MalformedReplyException {
        int shift = parts.sizes().receiveShift(cap);
        ByteBuffer ring = ring(room, granted, cap.maxReceiveWr(), shift);
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

    /** The first {@code granted} elements: a power of two, and no more than requested. */
    private static ByteBuffer ring(ByteBuffer room, int granted, int asked, int shift) throws MalformedReplyException {
        if (!RingMath.isPowerOfTwo(granted) || granted > asked) {
            throw new MalformedReplyException(
                    "irdma_create_qp_resp, a ring of " + granted + " elements where " + asked + " were asked for",
                    CreateQpResp.ACTUAL_SQ_SIZE,
                    CreateQpResp.BYTES);
        }
        return room.slice(0, granted << shift << Elements.QUANTUM_SHIFT);
    }
}
