// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.internal.syscall.FirstFailure;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.ConnectionRequests.AcceptCommand;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The queue pair that belongs to a CM id, and the transitions that the connection asks of it. The kernel says which
 * attributes the queue pair must have in each state (INIT_QP_ATTR). Written under the id's lock, read by any thread.
 */
final class ConnectionQp {
    private final CmIdCore core;
    private final Binding binding;
    private final IdResources resources;

    /** Whether the queue pair takes its receives from a shared queue. */
    private volatile boolean takesFromShared;

    ConnectionQp(CmIdCore core, Binding binding, IdResources resources) {
        this.core = core;
        this.binding = binding;
        this.resources = resources;
    }

    /** The queue pair, or null while the id has none, also when the caller uses a queue pair of its own. */
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

    /** The completion queue of the receive queue, made with the queue pair; null when the caller has brought one. */
    @Nullable
    OwnCq receiveCq() {
        return resources.receiveCq();
    }

    /** The completion queue of both queues, made with the queue pair by {@link #createOwn}, else null. */
    @Nullable
    OwnCq bothCq() {
        return resources.bothCq();
    }

    /** The protection domain of the queue pair, made with it by {@link #createOwn}, else null. */
    @Nullable
    ProtectionDomain ownPd() {
        return resources.ownPd();
    }

    /** Has threads that wait for completions look whether the device is still there. */
    void wakeWaiters() {
        for (OwnCq cq : new OwnCq[] {resources.sendCq(), resources.receiveCq(), resources.bothCq()}) {
            if (cq != null) {
                cq.wakeWaiters();
            }
        }
    }

    @Nullable
    SharedReceiveQueue srq() {
        return resources.srq();
    }

    SharedReceiveQueue createSrq(SharedReceiveQueueOptions options) throws RdmaException {
        return core.whileOpen(() -> createSrq(binding.requireDevice().pd(), options));
    }

    private SharedReceiveQueue createSrq(ProtectionDomain pd, SharedReceiveQueueOptions options) throws RdmaException {
        SharedReceiveQueue known = resources.srq();
        if (known != null && !known.isClosed()) {
            throw new IllegalStateException("the id has a shared receive queue already: " + known);
        }
        SharedReceiveQueue made = pd.createSrq(options);
        resources.srq(made);
        return made;
    }

    /** Creates the queue pair and any missing completion queues; leaves the queue pair in INIT (UD: RTS). */
    QueuePair create(ProtectionDomain pd, QueuePairOptions options) throws RdmaException {
        if (pd.context() != binding.requireDevice().context()) {
            throw new IllegalArgumentException(pd + " belongs to another device context than " + core);
        }
        AtomicReference<QueuePair> made = new AtomicReference<>();
        core.command(CmCommand.CREATE_QP, () -> {
            requireNone();
            made.set(make(pd, options));
        });
        return Objects.requireNonNull(made.get());
    }

    /** As {@link #create}, with a protection domain of its own and one completion queue for both queues. */
    void createOwn(QueuePairOptions options) throws RdmaException {
        if (options.sendCq().isPresent() || options.receiveCq().isPresent()) {
            throw new IllegalArgumentException(
                    "the options bring a completion queue: leave it out, or create the queue pair with CmId.createQp");
        }
        core.command(CmCommand.CREATE_QP, () -> {
            requireNone();
            try {
                ProtectionDomain pd = binding.requireDevice().context().allocatePd();
                resources.ownPd(pd);
                OwnCq both = OwnCq.make(pd.context(), options.maxSendWr() + options.maxReceiveWr());
                resources.bothCq(both);
                make(pd, options.toBuilder().cq(both.cq()).build());
            } catch (RdmaException | RuntimeException | Error e) {
                closeAfter(null, e); // the context outlives the id while something made on it is left
                throw e;
            }
        });
    }

    private void requireNone() {
        if (resources.qp() != null) {
            throw new IllegalStateException(core + " has a queue pair already");
        }
    }

    private QueuePair make(ProtectionDomain pd, QueuePairOptions options) throws RdmaException {
        QueuePair made = null;
        try {
            QueuePairOptions wanted = complete(options, pd.context());
            made = pd.createQp(wanted);
            made.modify(core.ucm().initQpAttr(core.handle(), QpState.INIT.code()));
            if (core.isDatagram()) {
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
    private QueuePairOptions complete(QueuePairOptions options, DeviceContext context) throws RdmaException {
        QueuePairOptions.Builder wanted = options.toBuilder().type(core.type());
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

    /** The parameters, with the flag set that says that the queue pair takes its receives from a shared queue. */
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
            own.modify(core.ucm().initQpAttr(core.handle(), QpState.INIT.code()));
            if (isMovedByKernel()) {
                followKernel();
                return;
            }
            QpAttr receive = core.ucm().initQpAttr(core.handle(), QpState.RTR.code());
            own.modify(
                    responderResources == ConnectionParameters.AS_MUCH_AS_POSSIBLE
                            ? receive
                            : receive.toBuilder()
                                    .maxDestRdAtomic(responderResources)
                                    .build());
            QpAttr send = core.ucm().initQpAttr(core.handle(), QpState.RTS.code());
            own.modify(
                    initiatorDepth == ConnectionParameters.AS_MUCH_AS_POSSIBLE
                            ? send
                            : send.toBuilder().maxRdAtomic(initiatorDepth).build());
        } catch (RdmaException | RuntimeException e) {
            flushAfter(e);
            throw e;
        }
    }

    /** On iWARP the kernel moves the queue pair to RTS itself, and there is no CONNECT_RESPONSE on the active side. */
    private boolean isMovedByKernel() {
        return binding.requireDevice().context().device().nodeType() == RdmaDevice.NodeType.RNIC;
    }

    /** The kernel has established the connection, or is about to: takes note if it moves the queue pair itself. */
    void followKernel() throws RdmaException {
        QueuePair own = resources.qp();
        if (own != null && !own.isClosed() && own.state() == QpState.INIT && isMovedByKernel()) {
            own.modify(QpAttr.builder().state(QpState.RTS).mask(0).build());
        }
    }

    /** The connection has ended: takes note if the kernel has moved the queue pair itself, and flushes what it left. */
    void followKernelToEnd() throws RdmaException {
        QueuePair own = resources.qp();
        if (own != null && !own.isClosed() && own.state() != QpState.ERR && isMovedByKernel()) {
            own.moveToError();
        }
    }

    /** Ends the connection on this side. On iWARP, ERR would cut off the TCP connection with data that the peer lacks. */
    void finish() throws RdmaException {
        QueuePair own = resources.qp();
        if (own == null || own.isClosed() || own.state() != QpState.RTS || !isMovedByKernel()) {
            flush();
        } else {
            own.modify(QpAttr.builder().state(QpState.SQD).build());
        }
    }

    /** Moves the queue pair to ERR, which ends what is posted to it. */
    void flush() throws RdmaException {
        QueuePair own = resources.qp();
        if (own != null && !own.isClosed()) {
            own.moveToError();
        }
    }

    /** Moves the queue pair to ERR after {@code failure}, which gets what goes wrong here as a suppressed exception. */
    void flushAfter(Exception failure) {
        try {
            flush();
        } catch (RdmaException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** Sends the active side's last message of a connection (RTU): both sides may send now. */
    void sendReadyToUse() throws RdmaException {
        core.ucm().send(UcmCommand.ACCEPT, new AcceptCommand(core.handle(), 0, null, Ece.NONE)::encode);
    }

    /** Closes the queue pair of an open id and the completion queues that were made with it. */
    void destroy() throws RdmaException {
        core.lock().lock();
        try {
            core.ensureOpen();
            resources.closeQp();
        } finally {
            core.lock().unlock();
        }
    }
}
