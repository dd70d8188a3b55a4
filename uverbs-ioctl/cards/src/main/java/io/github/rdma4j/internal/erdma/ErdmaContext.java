// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateCqResp;
import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateQpResp;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.QueueMemory;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.RingMath;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** An open device: its doorbell pages, its doorbell records, and the queue pairs by number. */
final class ErdmaContext implements DriverContext {
    private final ErdmaParts parts;
    private final Lock numberLock = new ReentrantLock();

    ErdmaContext(ErdmaParts parts) {
        this.parts = parts;
    }

    @Override
    public int entriesToRequest(int wanted) {
        return Sizes.completions(wanted);
    }

    @Override
    public QpCap capacitiesToRequest(QpCap wanted) {
        return Sizes.cap(wanted);
    }

    @Override
    public Creation<Created.Cq, CompletionRing> completionQueue(int entries) throws RdmaException {
        QueueMemory memory = parts.take(Sizes.pages(entries << Elements.BLOCK_SHIFT), "erdma completion ring");
        return Creation.of(
                ErdmaParts.exchange(memory, CreateCqResp.BYTES),
                granted -> {
                    int depth = granted.driverReply().getInt(CreateCqResp.NUM_CQE);
                    if (!RingMath.isPowerOfTwo(depth) || depth > entries) {
                        throw new MalformedReplyException(
                                "erdma_uresp_create_cq, num_cqe " + depth, CreateCqResp.NUM_CQE, CreateCqResp.BYTES);
                    }
                    int cqn = granted.driverReply().getInt(CreateCqResp.CQ_ID);
                    return new ErdmaCompletionRing(parts.queues(), memory, depth, cqn, parts.doorbells());
                },
                memory::release);
    }

    @Override
    public Creation<Created.Qp, QueueRings> queuePair(QueuePairRequest request) throws RdmaException {
        if (request.type() != QueuePairType.RC) {
            throw new UnsupportedByKernelException(
                    "erdma supports only reliable connected queue pairs, not " + request.type());
        }
        if (!parts.device().isIwarp()) {
            throw new UnsupportedByKernelException(
                    "the device runs RoCE, which the provider of erdma does not support; it"
                            + " supports erdma over iWARP");
        }
        QpCap cap = Sizes.cap(request.cap());
        int sends = Sizes.pages(Sizes.sendBlocks(cap) << Elements.BLOCK_SHIFT);
        int receives = Sizes.pages(Sizes.receives(cap) << Elements.BLOCK_SHIFT);
        QueueMemory memory = parts.take(sends + receives, "erdma queue pair");
        return Creation.of(
                ErdmaParts.exchange(memory, CreateQpResp.BYTES),
                granted -> rings(request, memory, granted.driverReply()),
                memory::release);
    }

    private QueueRings rings(QueuePairRequest request, QueueMemory memory, ByteBuffer reply)
            throws MalformedReplyException {
        int qpn = reply.getInt(CreateQpResp.QP_ID);
        ErdmaCompletionRing sendCq = (ErdmaCompletionRing) request.sendCq();
        ErdmaCompletionRing receiveCq = (ErdmaCompletionRing) Objects.requireNonNull(request.receiveCq());
        ErdmaSendRing send = new ErdmaSendRing(
                ring(memory, 0, reply.getInt(CreateQpResp.NUM_SQE)),
                request.cap(),
                new ErdmaSendRing.Identity(qpn, request.signalAll()),
                memory.slot(),
                parts.doorbells().sends(qpn));
        ErdmaReceiveRing receive = new ErdmaReceiveRing(
                ring(memory, reply.getInt(CreateQpResp.RQ_OFFSET), reply.getInt(CreateQpResp.NUM_RQE)),
                request.cap().maxReceiveSge(),
                qpn,
                memory.slot(),
                parts.doorbells().receives(qpn));
        ErdmaQueueRings rings = new ErdmaQueueRings(
                memory, parts.queues(), new ErdmaQueueRings.Ends(qpn, sendCq, receiveCq), send, receive);
        parts.queues().put(qpn, rings);
        return rings;
    }

    /** The part of the memory with {@code count} elements, a power of two. */
    private static ByteBuffer ring(QueueMemory memory, int at, int count) throws MalformedReplyException {
        int room = memory.bytes().capacity();
        boolean fits =
                at >= 0 && at <= room && at % Elements.BLOCK == 0 && count <= (room - at) >> Elements.BLOCK_SHIFT;
        if (!fits || !RingMath.isPowerOfTwo(count)) {
            throw new MalformedReplyException(
                    "erdma_uresp_create_qp, " + count + " elements at " + at + " of " + room + " bytes",
                    CreateQpResp.NUM_SQE,
                    CreateQpResp.BYTES);
        }
        return memory.part(at, count << Elements.BLOCK_SHIFT);
    }

    @Override
    public Creation<Created.Srq, SharedReceiveRing> sharedReceiveQueue(int maxWr, int maxSge)
            throws UnsupportedByKernelException {
        throw new UnsupportedByKernelException("erdma has no shared receive queues");
    }

    /** Required because queue pair numbers are reused after all have been used. */
    @Override
    public Lock queueNumberLock() {
        return numberLock;
    }

    @Override
    public Creation<Created.Ah, AddressVector> addressHandle(Created.Pd pd, AhAttr attributes)
            throws UnsupportedByKernelException {
        throw new UnsupportedByKernelException("erdma supports no datagrams, and therefore no address handles");
    }

    @Override
    public void close() {
        parts.doorbells().retire();
        parts.records().retire();
    }
}
