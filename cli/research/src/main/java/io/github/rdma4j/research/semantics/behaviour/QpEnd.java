// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.UdParam;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.research.semantics.kernel.Adapter;
import io.github.rdma4j.research.semantics.kernel.Await;
import io.github.rdma4j.research.semantics.kernel.RawId;
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
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;

/** A queue pair with a buffer, brought through its states with the attributes that INIT_QP_ATTR returns. */
final class QpEnd implements AutoCloseable {
    private static final int BYTES = 8192;

    private final DeviceContext context;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final MemoryRegion region;
    private final WorkCompletion[] one = WorkCompletion.array(1);

    private QpEnd(QueuePairType type) throws RdmaException {
        context = DeviceContext.open(Adapter.DEVICE);
        pd = context.allocatePd();
        cq = context.createCq(64);
        qp = pd.createQp(QueuePairOptions.builder().type(type).cq(cq).build());
        region = pd.registerMr(
                ByteBuffer.allocateDirect(BYTES), EnumSet.range(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC));
    }

    /** A queue pair of a connection, to be made ready by {@link #ready}. */
    static QpEnd connected(Trial trial) throws RdmaException {
        return trial.closeLater(new QpEnd(QueuePairType.RC));
    }

    /** A datagram queue pair, ready to send as the id's attributes have it. One receive is posted. */
    static QpEnd datagram(Trial trial, RawId id) throws RdmaException {
        QpEnd end = trial.closeLater(new QpEnd(QueuePairType.UD));
        end.move(id, RawId.INIT);
        end.qp.modify(QpAttr.builder().state(QpState.RTR).build());
        end.qp.modify(QpAttr.builder().state(QpState.RTS).sqPsn(0).build());
        end.receive();
        return end;
    }

    DeviceContext context() {
        return context;
    }

    QueuePair qp() {
        return qp;
    }

    /** Parameters that name this queue pair. */
    ConnParam param(int resources, int depth, int retries) {
        return new ConnParam(qp.qpn(), 0, new byte[0], false, resources, depth, 0, retries, 7);
    }

    void move(RawId id, int state) throws RdmaException {
        qp.modify(id.attr(state).toBuilder().rawState(state).build());
    }

    /** INIT, RTR and RTS, as a C library does it before the last message of the exchange. */
    void ready(RawId id) throws RdmaException {
        move(id, RawId.INIT);
        move(id, RawId.RTR);
        move(id, RawId.RTS);
    }

    String state() throws RdmaException {
        return qp.query().state().name();
    }

    void receive() throws RdmaException {
        qp.postReceive(new ReceiveWorkRequest(1).wrId(1).add(region, 0, BYTES));
    }

    void send(int length) throws RdmaException {
        qp.postSend(new SendWorkRequest(1).wrId(2).send().add(region, 0, length).signaled());
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

    /** The status of the next completion, and for a datagram its length; {@code nothing} if none comes in time. */
    String completion(Duration limit) {
        return Await.holds(limit, () -> cq.poll(one) == 1) ? text() : "nothing";
    }

    String completion() {
        return completion(Trial.LIMIT);
    }

    /** The completion that is available at once. */
    Optional<String> poll() {
        return cq.poll(one) == 1 ? Optional.of(text()) : Optional.empty();
    }

    private String text() {
        boolean hasLength = qp.type() == QueuePairType.UD && one[0].isReceive();
        return one[0].statusName() + (hasLength ? " " + one[0].byteLength() : "");
    }

    @Override
    public void close() throws RdmaException {
        context.close();
    }
}
