// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.ConnectionRequests.AcceptCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.ConnectCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.DisconnectCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.RejectCommand;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.internal.undo.FirstFailure;
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
 * The connection of a CM id: starts and ends it, and moves the queue pair to the matching states. The kernel provides
 * the attributes of each transition (INIT_QP_ATTR). Written under the id's lock, read by any thread.
 */
final class ConnectionQp {
    private final CmIdCore core;
    private final Binding binding;
    private final IdResources resources;

    /** The CONNECT_REQUEST event, for an id of the passive side; otherwise null. */
    private final @Nullable EventReply request;

    private volatile Ece localEce = Ece.NONE;
    private volatile Ece remoteEce;

    /** True if the queue pair uses a shared receive queue. */
    private volatile boolean takesFromShared;

    /** The code of the time that the peer waits after a message for which no receive was posted. */
    private volatile int minRnrTimer;

    ConnectionQp(CmIdCore core, Binding binding, IdResources resources, @Nullable EventReply request) {
        this.core = core;
        this.binding = binding;
        this.resources = resources;
        this.request = request;
        this.remoteEce = request == null ? Ece.NONE : request.ece();
    }

    void connect(ConnectionParameters parameters) throws RdmaException {
        core.command(CmCommand.CONNECT, () -> {
            minRnrTimer = parameters.minRnrTimer();
            ConnParam param = parameters.request(
                    binding.requireDevice(), numberOr(parameters.qpNumber()), isShared(), privateDataLimits());
            ConnectCommand body = new ConnectCommand(core.handle(), param, localEce);
            core.ucm().send(UcmCommand.CONNECT, body::encode);
        });
    }

    void accept(ConnectionParameters parameters) throws RdmaException {
        int qpNumber = numberOr(parameters.qpNumber());
        if (core.isDatagram()) {
            core.command(CmCommand.ACCEPT_DATAGRAM, () -> answer(parameters.answer(qpNumber, privateDataLimits())));
            return;
        }
        core.command(CmCommand.ACCEPT, () -> {
            ConnParam asked = (ConnParam) Objects.requireNonNull(request).param();
            ConnParam reply =
                    parameters.reply(asked, binding.requireDevice(), qpNumber, isShared(), privateDataLimits());
            minRnrTimer = parameters.minRnrTimer();
            makeReady(reply.responderResources(), reply.initiatorDepth());
            try {
                answer(reply);
            } catch (RdmaException e) {
                flushAfter(e);
                throw e;
            }
        });
    }

    private void answer(ConnParam reply) throws RdmaException {
        Ece ece = new Ece(remoteEce.vendorId(), localEce.attrMod());
        core.ucm().send(UcmCommand.ACCEPT, new AcceptCommand(core.handle(), core.uid(), reply, ece)::encode);
    }

    /** Rejects a request; {@code reason} is {@code IB_CM_REJ_*}, or 0 for the default reason of the kernel. */
    void reject(byte[] privateData, int reason) throws RdmaException {
        PrivateDataLimits.require(privateData.length, privateDataLimits().reject(), "rejection");
        RejectCommand body = new RejectCommand(core.handle(), privateData, reason);
        core.command(CmCommand.REJECT, () -> core.ucm().send(UcmCommand.REJECT, body::encode));
    }

    private PrivateDataLimits privateDataLimits() {
        return PrivateDataLimits.of(core.isDatagram(), core.addresses.isIp());
    }

    void disconnect() throws RdmaException {
        core.command(core.isDatagram() ? CmCommand.DISCONNECT_DATAGRAM : CmCommand.DISCONNECT, () -> {
            finish();
            core.ucm().send(UcmCommand.DISCONNECT, new DisconnectCommand(core.handle())::encode);
        });
    }

    /** Sets the ECE options that the next connect or accept offers. */
    void offerEce(Ece ece) {
        localEce = ece;
    }

    Ece remoteEce() {
        return remoteEce;
    }

    void learnRemoteEce(Ece ece) {
        remoteEce = ece;
    }

    /** Returns the queue pair; null if none was created through the id, even if the caller uses another one. */
    @Nullable
    QueuePair get() {
        return resources.qp;
    }

    /**
     * Returns the queue pair number for the peer: the number of the id's queue pair, or {@code callersOwn} if there is
     * none.
     */
    private int numberOr(int callersOwn) {
        QueuePair own = open();
        return own != null ? own.qpn() : callersOwn;
    }

    /** Returns the queue pair; also null if its user has closed it. */
    private @Nullable QueuePair open() {
        QueuePair own = resources.qp;
        return own == null || own.isClosed() ? null : own;
    }

    /** Wakes the threads that wait for completions, so that they check whether the device was removed. */
    void wakeWaiters() {
        for (OwnCq cq : new OwnCq[] {resources.sendCq, resources.receiveCq, resources.bothCq}) {
            if (cq != null) {
                cq.wakeWaiters();
            }
        }
    }

    @Nullable
    SharedReceiveQueue srq() {
        return resources.srq;
    }

    SharedReceiveQueue createSrq(SharedReceiveQueueOptions options) throws RdmaException {
        return core.whileOpen(() -> createSrq(binding.requireDevice().pd(), options));
    }

    private SharedReceiveQueue createSrq(ProtectionDomain pd, SharedReceiveQueueOptions options) throws RdmaException {
        SharedReceiveQueue known = resources.srq;
        if (known != null && !known.isClosed()) {
            throw new IllegalStateException("the id already has a shared receive queue: " + known);
        }
        SharedReceiveQueue made = pd.createSrq(options);
        resources.srq = made;
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

    /** Like {@link #create}, with a separate protection domain and one completion queue for both work queues. */
    void createOwn(QueuePairOptions options) throws RdmaException {
        if (options.sendCq().isPresent() || options.receiveCq().isPresent()) {
            throw new IllegalArgumentException(
                    "the options contain a completion queue: omit it, or create the queue pair with CmId.createQp");
        }
        core.command(CmCommand.CREATE_QP, () -> {
            requireNone();
            try {
                ProtectionDomain pd = binding.requireDevice().context().allocatePd();
                resources.ownPd = pd;
                OwnCq both = OwnCq.make(pd.context(), options.maxSendWr() + options.maxReceiveWr());
                resources.bothCq = both;
                make(pd, options.toBuilder().cq(both.cq()).build());
            } catch (RdmaException | RuntimeException | Error e) {
                // an object left on the context would keep the context open after the id is closed
                FirstFailure.closeAfter(e, resources::closeCqs);
                throw e;
            }
        });
    }

    /** Requires that there is no queue pair. Closes the completion queues of a queue pair that its user has closed. */
    private void requireNone() throws RdmaException {
        if (open() != null) {
            throw new IllegalStateException(core + " already has a queue pair");
        }
        resources.closeQp();
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
            resources.qp = made;
            return made;
        } catch (RdmaException | RuntimeException | Error e) {
            if (made != null) {
                FirstFailure.closeAfter(e, made);
            }
            FirstFailure.closeAfter(e, resources::closeCqs);
            throw e;
        }
    }

    /** Returns the options with the type of the id, its shared receive queue, and the missing completion queues. */
    private QueuePairOptions complete(QueuePairOptions options, DeviceContext context) throws RdmaException {
        QueuePairOptions.Builder wanted = options.toBuilder().type(core.type());
        SharedReceiveQueue shared = resources.srq;
        if (shared != null && !shared.isClosed() && options.srq().isEmpty()) {
            wanted.srq(shared);
        }
        if (options.sendCq().isEmpty()) {
            OwnCq send = OwnCq.make(context, options.maxSendWr());
            resources.sendCq = send;
            wanted.sendCq(send.cq());
        }
        if (options.receiveCq().isEmpty()) {
            OwnCq receive = OwnCq.make(context, options.maxReceiveWr());
            resources.receiveCq = receive;
            wanted.receiveCq(receive.cq());
        }
        return wanted.build();
    }

    private boolean isShared() {
        return open() != null && takesFromShared;
    }

    /** Repeats INIT for the access rights of the connection, then moves to RTR and RTS with the negotiated values. */
    private void makeReady(int responderResources, int initiatorDepth) throws RdmaException {
        QueuePair own = resources.qp; // a queue pair closed by its user fails the connection
        if (own == null) {
            return;
        }
        try {
            own.modify(core.ucm().initQpAttr(core.handle(), QpState.INIT.code()));
            if (isMovedByKernel()) {
                followKernel();
                return;
            }
            QpAttr.Builder receive = core.ucm().initQpAttr(core.handle(), QpState.RTR.code()).toBuilder()
                    .minRnrTimer(minRnrTimer);
            if (responderResources != ConnectionParameters.AS_MUCH_AS_POSSIBLE) {
                receive.maxDestRdAtomic(responderResources);
            }
            own.modify(receive.build());
            QpAttr.Builder send = core.ucm().initQpAttr(core.handle(), QpState.RTS.code()).toBuilder();
            if (initiatorDepth != ConnectionParameters.AS_MUCH_AS_POSSIBLE) {
                send.maxRdAtomic(initiatorDepth);
            }
            own.modify(send.build());
        } catch (RdmaException | RuntimeException | Error e) {
            flushAfter(e);
            throw e;
        }
    }

    /**
     * Returns true on iWARP, where the kernel moves the queue pair to RTS and the active side gets no CONNECT_RESPONSE.
     */
    private boolean isMovedByKernel() {
        return binding.requireDevice().context().device().nodeType() == RdmaDevice.NodeType.RNIC;
    }

    /** Records the state RTS when the connection is established, if the kernel moves the queue pair. */
    void followKernel() throws RdmaException {
        QueuePair own = open();
        if (own != null && own.state() == QpState.INIT && isMovedByKernel()) {
            own.modify(QpAttr.builder().state(QpState.RTS).mask(0).build());
        }
    }

    /** Flushes the queue pair at the end of the connection, if the kernel has moved it. */
    void followKernelToEnd() throws RdmaException {
        QueuePair own = open();
        if (own != null && own.state() != QpState.ERR && isMovedByKernel()) {
            own.moveToError();
        }
    }

    /**
     * Ends the connection on this side. On iWARP the state is SQD, because ERR would cut off the TCP connection before
     * all data is sent.
     */
    private void finish() throws RdmaException {
        QueuePair own = open();
        if (own == null || own.state() != QpState.RTS || !isMovedByKernel()) {
            flush();
        } else {
            own.modify(QpAttr.builder().state(QpState.SQD).build());
        }
    }

    /** Moves the queue pair to ERR, which flushes the posted work requests. */
    void flush() throws RdmaException {
        QueuePair own = open();
        if (own != null) {
            own.moveToError();
        }
    }

    /** Moves the queue pair to ERR after {@code failure}, in which a further failure is suppressed. */
    private void flushAfter(Throwable failure) {
        FirstFailure.closeAfter(failure, this::flush);
    }

    /** Makes the queue pair of the active side ready and confirms the connection; flushes it if that fails. */
    void confirm() throws RdmaException {
        if (get() == null) {
            return;
        }
        makeReady(ConnectionParameters.AS_MUCH_AS_POSSIBLE, ConnectionParameters.AS_MUCH_AS_POSSIBLE);
        try {
            sendReadyToUse();
        } catch (RdmaException e) {
            flushAfter(e);
            throw e;
        }
    }

    /** Sends RTU, the last message of the active side; afterwards both sides may send. */
    void sendReadyToUse() throws RdmaException {
        core.ucm().send(UcmCommand.ACCEPT, new AcceptCommand(core.handle(), 0, null, Ece.NONE)::encode);
    }

    /** Closes the queue pair of an open id and the completion queues created with it. */
    void destroy() throws RdmaException {
        core.whileOpen(() -> {
            resources.closeQp();
            return true;
        });
    }
}
