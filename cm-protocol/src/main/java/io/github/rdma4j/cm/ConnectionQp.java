// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.kernel.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QpAttr;
import io.github.rdma4j.verbs.QpState;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.QueuePairType;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SrqOptions;
import org.jspecify.annotations.Nullable;

/**
 * The queue pair that belongs to a CM id, and the transitions that the connection asks of it. What it has to look like in
 * each state the kernel says (INIT_QP_ATTR). Written under the id's lock, read by anybody.
 */
final class ConnectionQp {
    private final KernelId at;
    private final IdResources resources;

    /** Whether the queue pair takes its receives from a shared queue. */
    private volatile boolean takesFromShared;

    ConnectionQp(KernelId at, IdResources resources) {
        this.at = at;
        this.resources = resources;
    }

    /** The queue pair, or null while none was made or when it is the caller's own affair. */
    @Nullable
    QueuePair get() {
        return resources.qp();
    }

    /** The number to tell the peer: ours, or what the caller gave for a queue pair of its own. */
    int numberOr(int callersOwn) {
        QueuePair own = resources.qp();
        return own != null ? own.qpn() : callersOwn;
    }

    /** The completion queue of the send queue, made with the queue pair; null when the caller has brought one. */
    @Nullable
    OwnCq sendCq() {
        return resources.sendCq();
    }

    /** The same for the receive queue. */
    @Nullable
    OwnCq receiveCq() {
        return resources.receiveCq();
    }

    /** Has threads that wait for completions look whether the device is still there. */
    void wakeWaiters() {
        for (OwnCq cq : new OwnCq[] {resources.sendCq(), resources.receiveCq()}) {
            if (cq != null) {
                cq.wakeWaiters();
            }
        }
    }

    @Nullable
    SharedReceiveQueue srq() {
        return resources.srq();
    }

    SharedReceiveQueue createSrq(ProtectionDomain pd, SrqOptions options) throws RdmaException {
        SharedReceiveQueue known = resources.srq();
        if (known != null && !known.isClosed()) {
            throw new IllegalStateException("the id has a shared receive queue already: " + known);
        }
        SharedReceiveQueue made = pd.createSrq(options);
        resources.srq(made);
        return made;
    }

    /** Creates the queue pair and any missing completion queues; leaves the queue pair in INIT (UD: RTS). */
    QueuePair create(ProtectionDomain pd, QueuePairType type, QueuePairOptions options) throws RdmaException {
        QueuePair made = null;
        try {
            QueuePairOptions wanted = complete(options, type, pd.context());
            made = pd.createQp(wanted);
            made.modify(at.ucm().initQpAttr(at.handle(), QpState.INIT.code()));
            if (type.isDatagram()) {
                made.modify(QpAttr.builder().state(QpState.RTR).build());
                made.modify(QpAttr.builder().state(QpState.RTS).sqPsn(0).build());
            }
            takesFromShared = wanted.srq().isPresent();
            resources.qp(made);
            return made;
        } catch (RdmaException | RuntimeException | Error e) {
            closeAfter(made, e);
            throw e;
        }
    }

    /** The options with the type of the id, its shared receive queue, and a completion queue where there is none. */
    private QueuePairOptions complete(QueuePairOptions options, QueuePairType type, DeviceContext context)
            throws RdmaException {
        QueuePairOptions.Builder wanted = options.toBuilder().type(type);
        SharedReceiveQueue shared = resources.srq();
        if (shared != null && !shared.isClosed() && options.srq().isEmpty()) {
            wanted.srq(shared);
        }
        if (options.sendCq().isEmpty()) {
            OwnCq send = OwnCq.make(context, options.maxSendWr());
            resources.sendCq(send);
            wanted.sendCq(send.cq());
        }
        if (options.receiveCq().isEmpty()) {
            OwnCq receive = OwnCq.make(context, options.maxReceiveWr());
            resources.receiveCq(receive);
            wanted.receiveCq(receive.cq());
        }
        return wanted.build();
    }

    private void closeAfter(@Nullable QueuePair made, Throwable failure) {
        FirstFailure all = new FirstFailure();
        all.add(failure);
        if (made != null) {
            all.attempt(made::close);
        }
        all.attempt(resources::closeCqs);
    }

    /** Says which queue pair it is that wants a connection. */
    ConnParam describe(ConnParam param) {
        QueuePair own = resources.qp();
        return own != null && takesFromShared ? param.withSrq() : param;
    }

    /** INIT again for the access rights of the connection, then RTR and RTS with what was negotiated. */
    void makeReady(int responderResources, int initiatorDepth) throws RdmaException {
        QueuePair own = resources.qp();
        if (own == null) {
            return;
        }
        try {
            own.modify(at.ucm().initQpAttr(at.handle(), QpState.INIT.code()));
            QpAttr receive = at.ucm().initQpAttr(at.handle(), QpState.RTR.code());
            own.modify(
                    responderResources == ConnectionParameters.AS_MUCH_AS_POSSIBLE
                            ? receive
                            : receive.toBuilder()
                                    .maxDestRdAtomic(responderResources)
                                    .build());
            QpAttr send = at.ucm().initQpAttr(at.handle(), QpState.RTS.code());
            own.modify(
                    initiatorDepth == ConnectionParameters.AS_MUCH_AS_POSSIBLE
                            ? send
                            : send.toBuilder().maxRdAtomic(initiatorDepth).build());
        } catch (RdmaException | RuntimeException e) {
            flushAfter(e);
            throw e;
        }
    }

    /** Moves it to ERR, which ends what is posted to it. */
    void flush() throws RdmaException {
        QueuePair own = resources.qp();
        if (own != null && !own.isClosed()) {
            own.moveToError();
        }
    }

    /** The same after a failure that is the one to report. */
    void flushAfter(Exception failure) {
        try {
            flush();
        } catch (RdmaException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** Closes the queue pair and the completion queues that were made with it. */
    void close() throws RdmaException {
        resources.closeQp();
    }

    /** Closes all that was made through the id. */
    void closeAll() throws RdmaException {
        resources.closeQueues();
    }
}
