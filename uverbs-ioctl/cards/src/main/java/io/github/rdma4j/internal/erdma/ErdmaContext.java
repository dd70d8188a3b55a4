// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
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
        return new CompletionQueueCreation(parts, entries);
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
        return QueuePairCreation.prepare(parts, request);
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
