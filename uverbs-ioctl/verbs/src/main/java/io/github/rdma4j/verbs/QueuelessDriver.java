// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static io.github.rdma4j.internal.uverbs.DriverParts.*;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.DriverExchange.DriverRequest;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.nio.ByteBuffer;
import java.util.Map;

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

    /**
     * The driver's part of the commands that need no provider. A driver that is not in the table gets no request and
     * returns no reply: soft-RoCE, hfi1, qib, usnic and mana need neither.
     *
     * @param context the driver's part of GET_CONTEXT
     * @param protectionDomain the driver's part of ALLOC_PD
     * @param memoryRegion the driver's part of REG_MR
     */
    private record KnownDriver(DriverExchange context, DriverExchange protectionDomain, DriverExchange memoryRegion) {
        private static final int REGISTERS = 16;
        private static final int LOW_LATENCY_REGISTERS = 4;
        private static final KnownDriver OTHER =
                new KnownDriver(DriverExchange.NONE, DriverExchange.NONE, DriverExchange.NONE);

        private static final Map<Integer, KnownDriver> DRIVERS = Map.ofEntries(
                Map.entry(
                        DriverIds.RDMA_DRIVER_MLX5,
                        new KnownDriver(
                                DriverExchange.of(
                                        MLX5_CONTEXT_REQUEST, MLX5_CONTEXT_REPLY, KnownDriver::requestRegisters),
                                reply(MLX5_PD_REPLY))),
                Map.entry(DriverIds.RDMA_DRIVER_MLX4, replies(MLX4_CONTEXT_REPLY, MLX4_PD_REPLY)),
                Map.entry(DriverIds.RDMA_DRIVER_CXGB4, replies(CXGB4_CONTEXT_REPLY, CXGB4_PD_REPLY)),
                Map.entry(DriverIds.RDMA_DRIVER_MTHCA, replies(MTHCA_CONTEXT_REPLY, MTHCA_PD_REPLY)),
                Map.entry(DriverIds.RDMA_DRIVER_BNXT_RE, replies(BNXT_RE_CONTEXT_REPLY, BNXT_RE_PD_REPLY)),
                Map.entry(DriverIds.RDMA_DRIVER_OCRDMA, replies(OCRDMA_CONTEXT_REPLY, OCRDMA_PD_REPLY)),
                Map.entry(
                        DriverIds.RDMA_DRIVER_IRDMA,
                        new KnownDriver(
                                DriverExchange.of(
                                        IRDMA_CONTEXT_REQUEST, IRDMA_CONTEXT_REPLY, KnownDriver::requestNewFormats),
                                reply(IRDMA_PD_REPLY),
                                DriverExchange.of(IRDMA_MR_REQUEST, 0))),
                Map.entry(DriverIds.RDMA_DRIVER_VMW_PVRDMA, replies(PVRDMA_CONTEXT_REPLY, PVRDMA_PD_REPLY)),
                Map.entry(DriverIds.RDMA_DRIVER_QEDR, replies(QEDR_CONTEXT_REPLY, QEDR_PD_REPLY)),
                Map.entry(DriverIds.RDMA_DRIVER_HNS, replies(HNS_CONTEXT_REPLY, HNS_PD_REPLY)),
                Map.entry(DriverIds.RDMA_DRIVER_EFA, replies(EFA_CONTEXT_REPLY, EFA_PD_REPLY)),
                Map.entry(
                        DriverIds.RDMA_DRIVER_SIW,
                        new KnownDriver(
                                reply(SIW_CONTEXT_REPLY),
                                DriverExchange.NONE,
                                DriverExchange.of(SIW_MR_REQUEST, SIW_MR_REPLY))),
                Map.entry(
                        DriverIds.RDMA_DRIVER_ERDMA, new KnownDriver(reply(ERDMA_CONTEXT_REPLY), DriverExchange.NONE)));

        private KnownDriver(DriverExchange context, DriverExchange protectionDomain) {
            this(context, protectionDomain, DriverExchange.NONE);
        }

        /** Returns the driver with the number {@code driverId} ({@code RDMA_DRIVER_*}). */
        static KnownDriver of(int driverId) {
            return DRIVERS.getOrDefault(driverId, OTHER);
        }

        private static KnownDriver replies(int context, int protectionDomain) {
            return new KnownDriver(reply(context), reply(protectionDomain));
        }

        private static DriverExchange reply(int bytes) {
            return DriverExchange.of(0, bytes);
        }

        /** Requests the kernel's default number of doorbell registers: without a number, the kernel refuses the context. */
        private static void requestRegisters(DriverRequest request) {
            request.putInt(MLX5_TOTAL_NUM_BFREGS, REGISTERS);
            request.putInt(MLX5_NUM_LOW_LATENCY_BFREGS, LOW_LATENCY_REGISTERS);
        }

        /**
         * Sends the ABI version and the support of newer formats, which the newest devices require. A shorter reply would
         * select the interface of older devices.
         */
        private static void requestNewFormats(DriverRequest request) {
            request.putByte(IRDMA_USERSPACE_VER, IRDMA_ABI_VER);
            request.putLong(IRDMA_COMP_MASK, NewerIrdma.IRDMA_SUPPORT_WQE_FORMAT_V2);
        }
    }
}
