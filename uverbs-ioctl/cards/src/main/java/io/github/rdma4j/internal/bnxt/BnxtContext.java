// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.bnxt.BnxtAbi.AllocPdResp;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.internal.provider.Device.Held;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.QueueHandles;
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

/** An open device: its doorbells, the page shared with the kernel, and the queue pairs by handle. */
final class BnxtContext implements DriverContext {
    private static final DriverExchange NEW_DOMAIN = DriverExchange.of(0, AllocPdResp.BYTES);

    private final BnxtParts parts;
    private final RingMemory shared;

    /** Not visible to the program: the kernel assigns the doorbells of the context with its first protection domain. */
    private final Held domain;

    private final Lock addressLock = new ReentrantLock();

    private BnxtContext(BnxtParts parts, RingMemory shared, Held domain) {
        this.parts = parts;
        this.shared = shared;
        this.domain = domain;
    }

    static BnxtContext open(Device device, Chip chip) throws RdmaException {
        RingMemory shared = device.map(0, device.pageSize(), "bnxt_re shared page");
        try {
            Held domain = device.allocatePd(NEW_DOMAIN);
            try {
                long offset = domain.driverReply().getLong(AllocPdResp.DBR);
                DoorbellPage page = device.mapDoorbells(offset, device.pageSize(), "bnxt_re doorbell page");
                BnxtParts parts = new BnxtParts(device, new Sizes(chip), new Doorbells(page), new QueueHandles<>());
                return new BnxtContext(parts, shared, domain);
            } catch (Throwable e) {
                domain.release();
                throw e;
            }
        } catch (Throwable e) {
            shared.retire();
            throw e;
        }
    }

    @Override
    public DriverExchange protectionDomain() {
        return NEW_DOMAIN;
    }

    @Override
    public int entriesToRequest(int wanted) {
        return parts.sizes().completionsToRequest(wanted);
    }

    @Override
    public QpCap capacitiesToRequest(QpCap wanted) {
        return parts.sizes().toRequest(wanted);
    }

    @Override
    public Creation<Created.Cq, CompletionRing> completionQueue(int entries) throws RdmaException {
        return CompletionQueueCreation.prepare(parts, entries);
    }

    @Override
    public Creation<Created.Qp, QueueRings> queuePair(QueuePairRequest request) throws RdmaException {
        if (request.type() != QueuePairType.RC && request.type() != QueuePairType.UD) {
            throw new UnsupportedByKernelException(
                    "bnxt_re has queue pairs of types RC and UD only; no " + request.type());
        }
        return QueuePairCreation.prepare(parts, request);
    }

    @Override
    public Creation<Created.Srq, SharedReceiveRing> sharedReceiveQueue(int maxWr, int maxSge) throws RdmaException {
        return SharedReceiveQueueCreation.prepare(parts, maxWr, maxSge);
    }

    /** Required because the kernel writes the number of a new address handle to the shared page. */
    @Override
    public Lock addressHandleLock() {
        return addressLock;
    }

    @Override
    public Creation<Created.Ah, AddressVector> addressHandle(Created.Pd pd, AhAttr attributes) {
        return Creation.of(
                0,
                granted -> new BnxtAddress(
                        shared.buffer().getInt(BnxtAbi.BNXT_RE_AVID_OFFT) & Elements.Header.ADDRESS_MASK));
    }

    @Override
    public void close() {
        parts.doorbells().page().retire();
        shared.retire();
        domain.release();
    }
}
