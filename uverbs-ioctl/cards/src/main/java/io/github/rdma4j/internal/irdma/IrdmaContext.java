// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.IrdmaAbi.AllocPdResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateAhResp;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
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

/**
 * An open device: its doorbells, the protection domain of its rings, and the queue pairs by their identity in
 * completions.
 */
final class IrdmaContext implements DriverContext {
    private static final DriverExchange NEW_DOMAIN = DriverExchange.of(0, AllocPdResp.BYTES);

    private final IrdmaParts parts;

    private IrdmaContext(IrdmaParts parts) {
        this.parts = parts;
    }

    static IrdmaContext open(Device device, Attributes attributes) throws RdmaException {
        DoorbellPage doorbells = device.mapDoorbells(attributes.doorbells(), Elements.PAGE, "irdma doorbell page");
        try {
            return new IrdmaContext(new IrdmaParts(
                    device,
                    attributes,
                    new Sizes(attributes),
                    doorbells,
                    device.allocatePd(NEW_DOMAIN),
                    new QueueHandles<>()));
        } catch (Throwable e) {
            doorbells.retire();
            throw e;
        }
    }

    @Override
    public DriverExchange protectionDomain() {
        return NEW_DOMAIN;
    }

    @Override
    public DriverExchange memoryRegion() {
        return RegisteredMemory.Parts.OF_PROGRAM;
    }

    @Override
    public int entriesToRequest(int wanted) {
        return parts.sizes().completions(wanted);
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
        boolean datagrams =
                request.type() == QueuePairType.UD && !parts.device().isIwarp();
        if (request.type() != QueuePairType.RC && !datagrams) {
            throw new UnsupportedByKernelException("the device has "
                    + (parts.device().isIwarp()
                            ? "reliable connected queue pairs only, because it runs iWARP"
                            : "queue pairs of types RC and UD only")
                    + "; no " + request.type());
        }
        return QueuePairCreation.prepare(parts, request);
    }

    @Override
    public Creation<Created.Srq, SharedReceiveRing> sharedReceiveQueue(int maxWr, int maxSge) throws RdmaException {
        // the second half of an entry identifies the queue pair
        if (!parts.attributes().has(Attributes.SHARES_RECEIVES)
                || !parts.attributes().has(Attributes.WIDE_COMPLETIONS)) {
            throw new UnsupportedByKernelException(
                    "irdma has no shared receive queues before generation 3 of the device");
        }
        return SharedReceiveQueueCreation.prepare(parts, maxWr, maxSge);
    }

    /** The kernel resolves the address, and returns the device's number of it. */
    @Override
    public Creation<Created.Ah, AddressVector> addressHandle(Created.Pd pd, AhAttr attributes)
            throws UnsupportedByKernelException {
        if (parts.device().isIwarp()) {
            throw new UnsupportedByKernelException(
                    "the device runs iWARP, which has no datagrams and no address handles");
        }
        return Creation.of(
                CreateAhResp.BYTES,
                granted -> new IrdmaAddress(
                        granted.driverReply().getInt(CreateAhResp.AH_ID) & Elements.Header.ADDRESS_MASK));
    }

    @Override
    public void close() {
        parts.doorbells().retire();
        parts.domain().release();
    }
}
