// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

import io.github.rdma4j.internal.ucm.ConnParam;
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
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;

/** A connected queue pair with a buffer, brought through its states with what INIT_QP_ATTR says. */
final class RcEnd implements AutoCloseable {
    private static final int BYTES = 4096;

    private final DeviceContext context;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final MemoryRegion region;
    private final WorkCompletion[] one = WorkCompletion.array(1);

    RcEnd() throws RdmaException {
        context = DeviceContext.open(Rxe.DEVICE);
        pd = context.allocatePd();
        cq = context.createCq(64);
        qp = pd.createQp(QueuePairOptions.builder().cq(cq).build());
        region = pd.registerMr(
                ByteBuffer.allocateDirect(BYTES), EnumSet.range(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC));
    }

    static RcEnd open(Trial trial) throws RdmaException {
        return trial.closeLater(new RcEnd());
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

    void init(RawId id) throws RdmaException {
        move(id, RawId.INIT);
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

    /** The next completion's status; {@code nothing} when there is none. */
    String completion(Duration limit) {
        boolean there = Await.holds(limit, () -> cq.poll(one) == 1);
        return there ? one[0].statusName() : "nothing";
    }

    String completion() {
        return completion(Trial.LIMIT);
    }

    /** The completions that are available at once. */
    Optional<String> poll() {
        return cq.poll(one) == 1 ? Optional.of(one[0].statusName()) : Optional.empty();
    }

    @Override
    public void close() throws RdmaException {
        context.close();
    }
}
