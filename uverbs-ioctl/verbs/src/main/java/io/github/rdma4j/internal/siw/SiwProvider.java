// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.Provider;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.siw.SiwAbi.CompletionElement;
import io.github.rdma4j.internal.siw.SiwAbi.CqControl;
import io.github.rdma4j.internal.siw.SiwAbi.CreateCqResp;
import io.github.rdma4j.internal.siw.SiwAbi.CreateQpResp;
import io.github.rdma4j.internal.siw.SiwAbi.CreateSrqResp;
import io.github.rdma4j.internal.siw.SiwAbi.ReceiveElement;
import io.github.rdma4j.internal.siw.SiwAbi.SendElement;
import io.github.rdma4j.internal.siw.SiwAbi.SiwConstants;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.internal.uverbs.DriverParts;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.util.Objects;

/** The data path of soft-iWARP: rings in memory shared with the kernel, and a doorbell by write(2). */
public final class SiwProvider extends Provider {
    /** For {@link java.util.ServiceLoader}. */
    public SiwProvider() {
        super(DriverIds.RDMA_DRIVER_SIW, SiwConstants.SIW_ABI_VERSION, SiwConstants.SIW_ABI_VERSION, false);
    }

    @Override
    public Creation<ByteBuffer, DriverContext> context(Device device) {
        return Creation.of(DriverParts.SIW_CONTEXT_REPLY, reply -> new SiwContext(device));
    }

    /**
     * Soft-iWARP on one device. The kernel allocates the rings and returns their mmap offsets.
     *
     * @param device the open device
     */
    private record SiwContext(Device device) implements DriverContext {
        @Override
        public DriverExchange memoryRegion() {
            return DriverExchange.of(DriverParts.SIW_MR_REQUEST, DriverParts.SIW_MR_REPLY);
        }

        @Override
        public Creation<Created.Cq, CompletionRing> completionQueue(int entries) {
            return Creation.of(CreateCqResp.BYTES, created -> {
                ByteBuffer reply = created.driverReply();
                int count = reply.getInt(CreateCqResp.NUM_CQE);
                long key = reply.getLong(CreateCqResp.CQ_KEY);
                return new SiwCompletionRing(SiwRing.map(device, key, count, CompletionElement.BYTES, CqControl.BYTES));
            });
        }

        @Override
        public Creation<Created.Qp, QueueRings> queuePair(QueuePairRequest request)
                throws UnsupportedByKernelException {
            if (request.type() != QueuePairType.RC) {
                throw new UnsupportedByKernelException(
                        "siw supports only reliable connected queue pairs, not " + request.type());
            }
            return Creation.of(CreateQpResp.BYTES, created -> {
                ByteBuffer reply = created.driverReply();
                SiwRing sends = SiwRing.map(
                        device,
                        reply.getLong(CreateQpResp.SQ_KEY),
                        reply.getInt(CreateQpResp.NUM_SQE),
                        SendElement.BYTES,
                        0);
                SiwSendRing send = new SiwSendRing(sends, created, request, device.postSend(created.handle()));
                SiwReceiveRing receive = request.shared() == null ? receiveRing(created, send) : null;
                return new SiwQueueRings(
                        send, receive, (SiwCompletionRing) Objects.requireNonNull(request.receiveCq()));
            });
        }

        private SiwReceiveRing receiveRing(Created.Qp created, SiwSendRing send) throws RdmaException {
            ByteBuffer reply = created.driverReply();
            return Undo.onFailure(
                    () -> {
                        SiwRing ring = receives(reply.getLong(CreateQpResp.RQ_KEY), reply.getInt(CreateQpResp.NUM_RQE));
                        return new SiwReceiveRing(ring, created.cap().maxReceiveSge());
                    },
                    send::retire);
        }

        @Override
        public Creation<Created.Srq, SharedReceiveRing> sharedReceiveQueue(int maxWr, int maxSge) {
            return Creation.of(CreateSrqResp.BYTES, created -> {
                ByteBuffer reply = created.driverReply();
                SiwRing ring = receives(reply.getLong(CreateSrqResp.SRQ_KEY), reply.getInt(CreateSrqResp.NUM_RQE));
                return new SiwReceiveRing(ring, created.maxSge());
            });
        }

        private SiwRing receives(long key, int count) throws RdmaException {
            return SiwRing.map(device, key, count, ReceiveElement.BYTES, 0);
        }

        @Override
        public Creation<Created.Ah, AddressVector> addressHandle(Created.Pd pd, AhAttr attributes)
                throws UnsupportedByKernelException {
            throw new UnsupportedByKernelException("siw supports no datagrams, and therefore no address handles");
        }
    }
}
