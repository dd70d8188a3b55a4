// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.nio.ByteBuffer;

/** A device whose driver has no provider: it supports protection domains and memory regions, but no queues. */
final class QueuelessDriver implements DriverContext {
    private final RdmaDevice device;
    private final KnownDriver known;
    private final String reason;

    private QueuelessDriver(RdmaDevice device, KnownDriver known, String reason) {
        this.device = device;
        this.known = known;
        this.reason = reason;
    }

    /** Returns the driver's part of GET_CONTEXT; {@code reason} explains the missing provider. */
    static Creation<ByteBuffer, DriverContext> context(RdmaDevice device, String reason) {
        KnownDriver known = KnownDriver.of(device.driverId());
        return Creation.of(known.context(), reply -> new QueuelessDriver(device, known, reason));
    }

    @Override
    public DriverExchange protectionDomain() {
        return known.protectionDomain();
    }

    @Override
    public DriverExchange memoryRegion() {
        return known.memoryRegion();
    }

    private UnsupportedDriverException unsupported() {
        return new UnsupportedDriverException(device, reason);
    }

    @Override
    public Creation<Created.Cq, CompletionRing> completionQueue(int entries) throws UnsupportedDriverException {
        throw unsupported();
    }

    @Override
    public Creation<Created.Qp, QueueRings> queuePair(QueuePairRequest request) throws UnsupportedDriverException {
        throw unsupported();
    }

    @Override
    public Creation<Created.Srq, SharedReceiveRing> sharedReceiveQueue(int maxWr, int maxSge)
            throws UnsupportedDriverException {
        throw unsupported();
    }

    @Override
    public DriverExchange xrcTarget() throws UnsupportedDriverException {
        throw unsupported();
    }

    @Override
    public Creation<Created.Ah, AddressVector> addressHandle(Created.Pd pd, AhAttr attributes)
            throws UnsupportedDriverException {
        throw unsupported();
    }
}
