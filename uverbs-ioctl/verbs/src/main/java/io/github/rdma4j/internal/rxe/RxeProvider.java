// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.Provider;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.rxe.RxeAbi.CreateAhResp;
import io.github.rdma4j.internal.rxe.RxeAbi.CreateCqResp;
import io.github.rdma4j.internal.rxe.RxeAbi.CreateQpResp;
import io.github.rdma4j.internal.rxe.RxeAbi.CreateSrqResp;
import io.github.rdma4j.internal.rxe.RxeAbi.MinfoLayout;
import io.github.rdma4j.internal.rxe.RxeAbi.ModifySrqCmd;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The data path of soft-RoCE: rings in memory shared with the kernel, and a doorbell by write(2). */
public final class RxeProvider extends Provider {
    /** The ABI whose structs are the same for 32-bit and 64-bit user space, since Linux 4.19. */
    private static final int ABI = 2;

    /** For {@link java.util.ServiceLoader}. */
    public RxeProvider() {
        super(DriverIds.RDMA_DRIVER_RXE, ABI, ABI, false);
    }

    @Override
    public Creation<ByteBuffer, DriverContext> context(Device device) {
        return Creation.of(0, reply -> new RxeContext(device));
    }

    /**
     * Soft-RoCE on one device. The kernel allocates the rings and returns their mmap offsets, so a creation prepares
     * nothing.
     *
     * @param device the open device
     */
    private record RxeContext(Device device) implements DriverContext {
        /**
         * Copies of rxe in Linux 7.2 begin at the begin of the page, and not at the address (rxe_odp_mr_copy): a peer's write
         * destroys what the process has there.
         */
        @Override
        public boolean hasOnDemandPaging() {
            return false;
        }

        @Override
        public DriverExchange sharedReceiveLimit() {
            return DriverExchange.of(ModifySrqCmd.BYTES, 0);
        }

        @Override
        public Creation<Created.Cq, CompletionRing> completionQueue(int entries) {
            return Creation.of(CreateCqResp.BYTES, created -> {
                CompletionDriver driver = new CompletionDriver(this, created.handle());
                return new RxeCompletionRing(driver.map(created.driverReply()), created.cqe(), driver);
            });
        }

        /**
         * The kernel calls of a completion ring.
         *
         * @param context the open device
         * @param handle the handle of the completion queue
         */
        private record CompletionDriver(RxeContext context, int handle) implements RxeCompletionRing.Driver {
            @Override
            public void arm(boolean solicitedOnly) throws RdmaException {
                context.device.requestNotification(handle, solicitedOnly);
            }

            @Override
            public RxeQueue map(ByteBuffer driverReply) throws RdmaException {
                return context.map(driverReply, CreateCqResp.MI, "rxe completion ring");
            }
        }

        @Override
        public Creation<Created.Qp, QueueRings> queuePair(QueuePairRequest request) {
            return Creation.of(CreateQpResp.BYTES, created -> {
                RxeQueue queue = map(created.driverReply(), CreateQpResp.SQ_MI, "rxe send ring");
                RxeSendRing send = new RxeSendRing(
                        queue, created.cap(), request.type().isDatagram(), device.postSend(created.handle()));
                return new RxeQueueRings(send, request.shared() == null ? receiveRing(created, send) : null);
            });
        }

        private RxeReceiveRing receiveRing(Created.Qp created, RxeSendRing send) throws RdmaException {
            return Undo.onFailure(
                    () -> {
                        RxeQueue queue = map(created.driverReply(), CreateQpResp.RQ_MI, "rxe receive ring");
                        return new RxeReceiveRing(queue, created.cap().maxReceiveSge());
                    },
                    send::retire);
        }

        @Override
        public Creation<Created.Srq, SharedReceiveRing> sharedReceiveQueue(int maxWr, int maxSge) {
            return Creation.of(CreateSrqResp.BYTES, created -> {
                RxeQueue queue = map(created.driverReply(), CreateSrqResp.MI, "rxe shared receive ring");
                return new RxeReceiveRing(queue, created.maxSge());
            });
        }

        @Override
        public Creation<Created.Ah, AddressVector> addressHandle(Created.Pd pd, AhAttr attributes) {
            return Creation.of(CreateAhResp.BYTES, RxeSendRing.RxeAddress::of);
        }

        private RxeQueue map(ByteBuffer driverReply, int at, String what) throws RdmaException {
            long offset = driverReply.getLong(at + MinfoLayout.OFFSET);
            int size = driverReply.getInt(at + MinfoLayout.SIZE);
            RingMemory memory = device.map(offset, size, what);
            return RxeQueue.over(memory, what);
        }

        /**
         * The queues of a soft-RoCE queue pair. A reset leaves the indexes of both rings unchanged, as in the kernel.
         *
         * @param send the send queue
         * @param receive the receive queue, null with a shared receive queue
         */
        private record RxeQueueRings(
                RxeSendRing send, @Nullable RxeReceiveRing receive) implements QueueRings {
            /** The kernel checks for receives only when a message arrives or the queue pair is moved to ERR. */
            @Override
            public boolean flushesReceivesWhenMoved() {
                return receive != null;
            }

            @Override
            public void retire(boolean destroyed) {
                send.retire();
                if (receive != null) {
                    receive.retire(destroyed);
                }
            }
        }
    }
}
