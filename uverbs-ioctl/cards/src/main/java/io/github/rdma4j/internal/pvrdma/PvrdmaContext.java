// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.pvrdma.PvrdmaAbi.AllocPdResp;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import java.util.concurrent.locks.Lock;

/** An open device. */
record PvrdmaContext(PvrdmaParts parts) implements DriverContext {
    @Override
    public DriverExchange protectionDomain() {
        return DriverExchange.of(0, AllocPdResp.BYTES);
    }

    @Override
    public int entriesToRequest(int wanted) {
        return Sizes.slots(wanted);
    }

    /** The driver passes the capacities on unchanged, and the device accepts powers of two only. */
    @Override
    public QpCap capacitiesToRequest(QpCap wanted) {
        return new QpCap(
                Sizes.slots(wanted.maxSendWr()),
                Sizes.slots(wanted.maxReceiveWr()),
                Sizes.powerOfTwo(wanted.maxSendSge()),
                Sizes.powerOfTwo(wanted.maxReceiveSge()),
                wanted.maxInline());
    }

    @Override
    public Creation<Created.Cq, CompletionRing> completionQueue(int entries) throws RdmaException {
        return CompletionQueueCreation.prepare(parts, entries);
    }

    @Override
    public Creation<Created.Qp, QueueRings> queuePair(QueuePairRequest request) throws RdmaException {
        return QueuePairCreation.prepare(parts, request);
    }

    @Override
    public int receivesToRequest(int wanted) {
        return Sizes.slots(wanted);
    }

    @Override
    public Creation<Created.Srq, SharedReceiveRing> sharedReceiveQueue(int maxWr, int maxSge) throws RdmaException {
        return SharedReceiveQueueCreation.prepare(parts, receivesToRequest(maxWr), maxSge);
    }

    @Override
    public Lock queueNumberLock() {
        return parts.numbers().lock();
    }

    @Override
    public boolean hasAddressHandleCommand() {
        return false;
    }

    @Override
    public Creation<Created.Ah, AddressVector> addressHandle(Created.Pd pd, AhAttr attributes) throws RdmaException {
        if (!attributes.isGlobal()) {
            throw new IllegalArgumentException("vmw_pvrdma needs the GID of the peer: the address must be global");
        }
        int pdn = pd.driverReply().getInt(AllocPdResp.PDN);
        PvrdmaAddress address = PvrdmaAddress.of(pdn, attributes, parts.device().hardwareAddress(attributes));
        return Creation.of(0, granted -> address);
    }

    @Override
    public void close() {
        parts.registers().retire();
    }
}
