// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateQp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateQpResp;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.kernel.RdmaException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The driver's part of CREATE_QP. The memory holds the send ring with the packet numbers, and the receive ring. */
final class QueuePairCreation implements Creation<Created.Qp, QueueRings> {
    private final BnxtParts parts;
    private final QueuePairRequest request;
    private final Sizes.Sends sends;

    /** Null with a shared receive queue. */
    private final Sizes.@Nullable Receives receives;

    private final int receivesAt;
    private final RingMemory memory;
    private final long handle;

    private QueuePairCreation(BnxtParts parts, QueuePairRequest request) throws RdmaException {
        this.parts = parts;
        this.request = request;
        Sizes sizes = parts.sizes();
        this.sends = sizes.sends(request.cap());
        this.receives = request.shared() == null ? sizes.receives(request.cap()) : null;
        this.receivesAt = Sizes.align(sizes.sendBytes(sends), parts.device().pageSize());
        int bytes = receivesAt + (receives == null ? 0 : receives.bytes());
        this.memory = parts.device().allocate(bytes, "the rings of a queue pair of bnxt_re");
        this.handle = parts.queues().take();
    }

    /** Prepares the creation; the request has the capacities of {@link Sizes#toRequest}. */
    static QueuePairCreation prepare(BnxtParts parts, QueuePairRequest request) throws RdmaException {
        return new QueuePairCreation(parts, request);
    }

    @Override
    public int requestBytes() {
        return CreateQp.BYTES;
    }

    @Override
    public void writeRequest(DriverRequest out) {
        out.putAddress(CreateQp.QPSVA, memory, 0);
        if (receives != null) {
            out.putAddress(CreateQp.QPRVA, memory, receivesAt);
        }
        out.putLong(CreateQp.QP_HANDLE, handle);
        if (parts.chip().variable()) {
            out.putInt(CreateQp.SQ_SLOTS, sends.slots());
        }
    }

    @Override
    public int replyBytes() {
        return CreateQpResp.BYTES;
    }

    @Override
    public QueueRings finish(Created.Qp granted) {
        int number = granted.driverReply().getInt(CreateQpResp.QPID);
        boolean datagram = request.type().isDatagram();
        BnxtQueueRings rings = new BnxtQueueRings(
                parts.queues(),
                memory,
                new BnxtQueueRings.Ends(
                        handle,
                        number,
                        datagram,
                        (BnxtCompletionRing) request.sendCq(),
                        (BnxtCompletionRing) Objects.requireNonNull(request.receiveCq()),
                        (BnxtSharedReceiveRing) request.shared()),
                new BnxtSendRing(
                        memory.buffer(),
                        new BnxtSendRing.Shape(sends, request.cap(), datagram, request.signalAll(), number),
                        parts.sizes(),
                        parts.doorbells()),
                receiveRing(number));
        parts.queues().put(rings);
        return rings;
    }

    private @Nullable BnxtReceiveRing receiveRing(int number) {
        return receives == null
                ? null
                : new BnxtReceiveRing(
                        memory.buffer().slice(receivesAt, receives.bytes()),
                        receives,
                        request.cap().maxReceiveSge(),
                        number,
                        parts.doorbells());
    }

    @Override
    public void abandon(boolean destroyed) {
        memory.retire();
        if (destroyed) {
            parts.queues().release(handle);
        }
    }
}
