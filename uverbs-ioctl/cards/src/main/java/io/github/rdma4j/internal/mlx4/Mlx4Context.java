// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.connectx.ConnectxContext;
import io.github.rdma4j.internal.connectx.ConnectxQueueRings.Ends;
import io.github.rdma4j.internal.connectx.ConnectxReceiveRing;
import io.github.rdma4j.internal.connectx.ConnectxSendRing.Identity;
import io.github.rdma4j.internal.connectx.ConnectxSharedReceiveRing;
import io.github.rdma4j.internal.connectx.Entries;
import io.github.rdma4j.internal.connectx.RingSizes.ReceiveSizes;
import io.github.rdma4j.internal.connectx.RingSizes.SharedReceiveSizes;
import io.github.rdma4j.internal.connectx.Segments.Codes;
import io.github.rdma4j.internal.connectx.Segments.DataSeg;
import io.github.rdma4j.internal.connectx.Segments.SrqNextSeg;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.AllocPdResp;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateCq;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateCqResp;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateQp;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateSrq;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateSrqResp;
import io.github.rdma4j.internal.mlx4.Mlx4Sizes.SendSizes;
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
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** An open ConnectX-3 device. */
final class Mlx4Context extends ConnectxContext {
    /** The driver's maximum size of a completion queue. */
    private static final int MOST_COMPLETIONS = 0x3fffff;

    private static final Form CREATE_CQ =
            new Form(CreateCq.BYTES, CreateCq.BUF_ADDR, CreateCq.DB_ADDR, CreateCqResp.BYTES);
    private static final Form CREATE_QP = new Form(CreateQp.BYTES, CreateQp.BUF_ADDR, CreateQp.DB_ADDR, 0);
    private static final Form CREATE_SRQ =
            new Form(CreateSrq.BYTES, CreateSrq.BUF_ADDR, CreateSrq.DB_ADDR, CreateSrqResp.BYTES);

    private final Mlx4Parts parts;

    Mlx4Context(Mlx4Parts parts) {
        super(parts.shared(), parts.doorbells(), MOST_COMPLETIONS, AllocPdResp.BYTES);
        this.parts = parts;
    }

    @Override
    public Creation<Created.Cq, CompletionRing> completionQueue(int entries) throws RdmaException {
        int count = entries + 1;
        QueueMemory memory = parts.shared().take(count << parts.entryShift(), "mlx4 completion ring");
        Entries ring = parts.entries(memory.bytes(), count);
        ring.disown(0);
        return Creation.of(
                memory.exchange(CREATE_CQ, request -> {}),
                granted -> {
                    Creation.requireGranted("CREATE_CQ of mlx4, cqe", granted.cqe(), entries);
                    int number = granted.driverReply().getInt(CreateCqResp.CQN);
                    return new Mlx4CompletionRing(parts, memory, ring, number);
                },
                memory::release);
    }

    /** The device needs at least one receive of at least one piece. */
    @Override
    public QpCap capacitiesToRequest(QpCap wanted) {
        boolean receives = wanted.maxReceiveWr() > 0 || wanted.maxReceiveSge() > 0;
        int least = receives ? 1 : 0;
        return new QpCap(
                wanted.maxSendWr(),
                Math.max(least, wanted.maxReceiveWr()),
                wanted.maxSendSge(),
                Math.max(least, wanted.maxReceiveSge()),
                wanted.maxInline());
    }

    /** The ring with the larger entries comes first. Only the receive ring has a doorbell record. */
    @Override
    public Creation<Created.Qp, QueueRings> queuePair(QueuePairRequest request) throws RdmaException {
        SendSizes sends = SendSizes.of(request.type(), request.cap());
        boolean hasReceives = request.shared() == null && !request.type().isXrc();
        ReceiveSizes receives = hasReceives ? Mlx4Sizes.receives(request.cap()) : ReceiveSizes.NONE;
        int bytes = receives.bytes() + sends.bytes();
        QueueMemory memory = hasReceives
                ? parts.shared().take(bytes, "mlx4 queue pair")
                : parts.shared().takeWithoutRecord(bytes, "mlx4 queue pair");
        boolean receivesFirst = receives.shift() > sends.shift();
        ByteBuffer sendRing = memory.part(receivesFirst ? receives.bytes() : 0, sends.bytes());
        ByteBuffer receiveRing = memory.part(receivesFirst ? 0 : sends.bytes(), receives.bytes());
        return Creation.of(
                memory.exchange(CREATE_QP, driver -> {
                    driver.putByte(CreateQp.LOG_SQ_BB_COUNT, sends.logCount());
                    driver.putByte(CreateQp.LOG_SQ_STRIDE, sends.shift());
                }),
                granted -> {
                    int qpn = granted.qpn();
                    Mlx4SendRing send = new Mlx4SendRing(sends, sendRing, Identity.of(qpn, request), parts.doorbells());
                    ConnectxReceiveRing receive =
                            hasReceives ? new ConnectxReceiveRing(receives, receiveRing, memory.slot()) : null;
                    return new Mlx4QueueRings(parts, memory, Ends.of(qpn, qpn, request), send, receive).register();
                },
                memory::release);
    }

    /** All segments of the new ring have the invalid key. */
    @Override
    protected Creation<Created.Srq, SharedReceiveRing> sharedReceives(
            int maxWr, int maxSge, @Nullable CompletionRing cq) throws RdmaException {
        SharedReceiveSizes sizes = Mlx4Sizes.sharedReceives(maxWr, maxSge);
        QueueMemory memory = parts.shared().takeLinked(sizes, "mlx4 shared receive ring");
        ByteBuffer ring = memory.bytes().duplicate().order(ByteOrder.BIG_ENDIAN);
        int entryBytes = 1 << sizes.shift();
        for (int entry = 0; entry < sizes.bytes(); entry += entryBytes) {
            for (int at = entry + SrqNextSeg.BYTES; at < entry + entryBytes; at += DataSeg.BYTES) {
                ring.putInt(at + DataSeg.LKEY, Codes.INVALID_LKEY);
            }
        }
        return Creation.of(
                memory.exchange(CREATE_SRQ, request -> {}),
                granted -> {
                    Creation.requireGranted("CREATE_SRQ of mlx4, max_wr", granted.maxWr(), sizes.entries() - 1);
                    int number = granted.driverReply().getInt(CreateSrqResp.SRQN);
                    return ConnectxSharedReceiveRing.of(
                            sizes, memory, number, cq, parts.shared().xrcQueues());
                },
                memory::release);
    }

    /** The kernel creates no queue for a target, and ignores the request. */
    @Override
    public DriverExchange xrcTarget() {
        return DriverExchange.of(CreateQp.BYTES, 0);
    }

    /** Work requests contain the whole address, as in libmlx4. */
    @Override
    public boolean hasAddressHandleCommand() {
        return false;
    }

    @Override
    public Creation<Created.Ah, AddressVector> addressHandle(Created.Pd pd, AhAttr attributes) throws RdmaException {
        int pdn = pd.driverReply().getInt(AllocPdResp.PDN);
        Mlx4AddressVector address = ports().isEthernet(attributes)
                ? Mlx4AddressVector.ethernet(
                        pdn,
                        attributes,
                        parts.shared().device().vlan(attributes),
                        parts.shared().device().hardwareAddress(attributes))
                : Mlx4AddressVector.infiniband(pdn, attributes);
        return Creation.of(0, granted -> address);
    }
}
