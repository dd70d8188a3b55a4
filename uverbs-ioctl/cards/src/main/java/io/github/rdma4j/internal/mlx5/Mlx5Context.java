// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.connectx.ConnectxContext;
import io.github.rdma4j.internal.connectx.ConnectxQueueRings;
import io.github.rdma4j.internal.connectx.ConnectxQueueRings.Ends;
import io.github.rdma4j.internal.connectx.ConnectxReceiveRing;
import io.github.rdma4j.internal.connectx.ConnectxSendRing.Identity;
import io.github.rdma4j.internal.connectx.ConnectxSharedReceiveRing;
import io.github.rdma4j.internal.connectx.Entries;
import io.github.rdma4j.internal.connectx.RingSizes.ReceiveSizes;
import io.github.rdma4j.internal.connectx.RingSizes.SharedReceiveSizes;
import io.github.rdma4j.internal.mlx5.Cqe.Cqe64;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.AllocPdResp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateAhResp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateCq;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateCqResp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateQp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateQpResp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateSrq;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateSrqResp;
import io.github.rdma4j.internal.mlx5.QueueLimits.SendSizes;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.QueueMemory;
import io.github.rdma4j.internal.provider.QueueMemory.Form;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** An open ConnectX device. */
final class Mlx5Context extends ConnectxContext {
    /** The maximum size of a completion queue: the consumer index has 24 bits. */
    private static final int MOST_COMPLETIONS = (1 << 24) - 1;

    private static final Form CREATE_CQ =
            new Form(CreateCq.BYTES, CreateCq.BUF_ADDR, CreateCq.DB_ADDR, CreateCqResp.BYTES);
    private static final Form CREATE_QP =
            new Form(CreateQp.BYTES, CreateQp.BUF_ADDR, CreateQp.DB_ADDR, CreateQpResp.BYTES);
    private static final Form CREATE_SRQ =
            new Form(CreateSrq.BYTES, CreateSrq.BUF_ADDR, CreateSrq.DB_ADDR, CreateSrqResp.BYTES);

    private final Mlx5Parts parts;

    Mlx5Context(Mlx5Parts parts) {
        super(parts.shared(), parts.doorbells().page(), MOST_COMPLETIONS, AllocPdResp.BYTES);
        this.parts = parts;
    }

    @Override
    public Creation<Created.Cq, CompletionRing> completionQueue(int entries) throws RdmaException {
        int pageId = parts.doorbells().shortPageId();
        int count = entries + 1;
        QueueMemory memory = parts.shared().take(count << Mlx5CompletionRing.ENTRY_SHIFT, "mlx5 completion ring");
        Entries ring = Mlx5CompletionRing.newEntries(memory.bytes(), count);
        return Creation.of(
                memory.exchange(CREATE_CQ, request -> {
                    request.putInt(CreateCq.CQE_SIZE, Cqe64.BYTES);
                    request.putShort(CreateCq.FLAGS, Mlx5Abi.MLX5_IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX);
                    request.putShort(CreateCq.UAR_PAGE_INDEX, pageId);
                }),
                granted -> {
                    Creation.requireGranted("CREATE_CQ of mlx5, cqe", granted.cqe(), entries);
                    int number = granted.driverReply().getInt(CreateCqResp.CQN);
                    return new Mlx5CompletionRing(parts, memory, ring, number);
                },
                memory::release);
    }

    /** The memory holds the receive ring, followed by the send ring. */
    @Override
    public Creation<Created.Qp, QueueRings> queuePair(QueuePairRequest request) throws RdmaException {
        SendSizes sends = SendSizes.of(request.type(), request.cap(), parts.limits());
        boolean own = request.shared() == null;
        ReceiveSizes receives = own ? parts.limits().receives(request.cap()) : ReceiveSizes.NONE;
        int index = parts.takeIndex();
        QueueMemory memory = Undo.onFailure(
                () -> parts.shared().take(receives.bytes() + sends.bytes(), "mlx5 queue pair"),
                () -> parts.indexes().release(index));
        return Creation.of(
                memory.exchange(CREATE_QP, driver -> {
                    driver.putInt(CreateQp.SQ_WQE_COUNT, sends.blocks());
                    driver.putInt(CreateQp.RQ_WQE_COUNT, receives.entries());
                    driver.putInt(CreateQp.RQ_WQE_SHIFT, receives.shift());
                    driver.putInt(CreateQp.UIDX, index);
                    driver.putInt(CreateQp.FLAGS, Mlx5Abi.MLX5_QP_FLAG_UAR_PAGE_INDEX);
                    driver.putInt(CreateQp.BFREG_INDEX, parts.doorbells().pageId());
                }),
                granted -> {
                    Mlx5SendRing send = new Mlx5SendRing(
                            sends,
                            memory.part(receives.bytes(), sends.bytes()),
                            Identity.of(granted.qpn(), request),
                            memory.slot(),
                            parts.doorbells().page());
                    ConnectxReceiveRing receive = own && !request.type().isXrc()
                            ? new ConnectxReceiveRing(receives, memory.part(0, receives.bytes()), memory.slot())
                            : null;
                    Ends ends = Ends.of(index == UserIndexes.NONE ? granted.qpn() : index, granted.qpn(), request);
                    return new ConnectxQueueRings(memory, parts.shared().queues(), ends, send, receive).register();
                },
                destroyed -> parts.abandon(memory, index, destroyed));
    }

    /** The kernel computes the size of the ring from this number. */
    @Override
    public int receivesToRequest(int wanted) {
        return parts.limits().sharedReceives(wanted, 1).all() - 1;
    }

    @Override
    protected Creation<Created.Srq, SharedReceiveRing> sharedReceives(
            int maxWr, int maxSge, @Nullable CompletionRing cq) throws RdmaException {
        SharedReceiveSizes sizes = parts.limits().sharedReceives(maxWr, maxSge);
        int index = cq == null ? UserIndexes.NONE : parts.takeIndex();
        QueueMemory memory = Undo.onFailure(
                () -> parts.shared().takeLinked(sizes, "mlx5 shared receive ring"),
                () -> parts.indexes().release(index));
        return Creation.of(
                memory.exchange(CREATE_SRQ, request -> {
                    if (cq != null) {
                        request.putInt(CreateSrq.UIDX, index);
                    }
                }),
                granted -> {
                    Creation.requireGranted("CREATE_SRQ of mlx5, max_wr", granted.maxWr(), sizes.all() - 1);
                    int srqn = granted.driverReply().getInt(CreateSrqResp.SRQN);
                    int number = index == UserIndexes.NONE ? srqn : index;
                    return ConnectxSharedReceiveRing.of(
                            sizes, memory, number, cq, parts.shared().xrcQueues());
                },
                destroyed -> parts.abandon(memory, index, destroyed));
    }

    /** The provider controls the reuse of user indexes; the kernel controls the reuse of queue numbers. */
    @Override
    public @Nullable Lock queueNumberLock() {
        return parts.cqeVersion() == 0 ? super.queueNumberLock() : null;
    }

    /**
     * The kernel reads only the user index, which must be valid. No completion contains this index. Linux 5.15 and
     * later ignore it, and return nothing.
     */
    @Override
    public DriverExchange xrcTarget() {
        int index = parts.cqeVersion() == 0 ? UserIndexes.NONE : 0;
        return DriverExchange.of(CreateQp.BYTES, CreateQpResp.BYTES, request -> request.putInt(CreateQp.UIDX, index));
    }

    @Override
    public Creation<Created.Ah, AddressVector> addressHandle(Created.Pd pd, AhAttr attributes) throws RdmaException {
        boolean ethernet = ports().isEthernet(attributes);
        if (ethernet && !parts.tellsMac()) {
            throw new UnsupportedByKernelException(
                    "the mlx5 driver of this kernel does not resolve the MAC address of an address"
                            + " handle: datagrams over RoCE need Linux 4.10 or newer");
        }
        boolean udp = ethernet && ports().isUdp(attributes);
        return Creation.of(
                ethernet ? CreateAhResp.BYTES : 0,
                granted -> ethernet
                        ? Mlx5AddressVector.ethernet(attributes, granted.driverReply(), CreateAhResp.DMAC, udp)
                        : Mlx5AddressVector.infiniband(attributes));
    }
}
