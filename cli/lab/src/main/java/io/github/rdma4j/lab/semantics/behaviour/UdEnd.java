// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

import io.github.rdma4j.internal.ucm.UdParam;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.lab.semantics.guest.Await;
import io.github.rdma4j.lab.semantics.guest.Rxe;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.util.EnumSet;

/** A datagram queue pair with a buffer, ready to send as an id's attributes have it; one receive is posted. */
final class UdEnd implements AutoCloseable {
    private static final int BYTES = 8192;

    private final DeviceContext context;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final MemoryRegion region;
    private final WorkCompletion[] one = WorkCompletion.array(1);

    private UdEnd(RawId id) throws RdmaException {
        context = DeviceContext.open(Rxe.DEVICE);
        pd = context.allocatePd();
        cq = context.createCq(64);
        qp = pd.createQp(
                QueuePairOptions.builder().type(QueuePairType.UD).cq(cq).build());
        region = pd.registerMr(ByteBuffer.allocateDirect(BYTES), EnumSet.of(Access.LOCAL_WRITE));
        qp.modify(id.attr(RawId.INIT).toBuilder().state(QpState.INIT).build());
        qp.modify(QpAttr.builder().state(QpState.RTR).build());
        qp.modify(QpAttr.builder().state(QpState.RTS).sqPsn(0).build());
        receive();
    }

    static UdEnd open(Trial trial, RawId id) throws RdmaException {
        return trial.closeLater(new UdEnd(id));
    }

    QueuePair qp() {
        return qp;
    }

    void receive() throws RdmaException {
        qp.postReceive(new ReceiveWorkRequest(1).wrId(1).add(region, 0, BYTES));
    }

    /** Sends to the destination in an event of a group or of a datagram peer. */
    void send(UdParam to, int length) throws RdmaException {
        qp.postSend(new SendWorkRequest(1)
                .wrId(2)
                .send()
                .to(pd.createAh(to.ahAttr()), to.qpNum(), to.qkey())
                .add(region, 0, length)
                .signaled());
    }

    /** The next completion: its status, and for a receive the length. */
    String completion() {
        Await.until("a completion", () -> cq.poll(one) == 1);
        return one[0].statusName() + (one[0].isReceive() ? " " + one[0].byteLength() : "");
    }

    @Override
    public void close() throws RdmaException {
        context.close();
    }
}
