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
import io.github.rdma4j.kernel.RdmaException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Starts and ends the connection of a CM id, and moves its queue pair to the matching states. */
final class ConnectionCommands {
    private final CmIdCore core;
    private final Binding binding;
    private final ConnectionQp qp;
    private final UserManagedQp userManagedQp;
    private final @Nullable EventReply request;

    /**
     * Creates the commands; {@code request} is the CONNECT_REQUEST event for an id of the passive side, otherwise null.
     */
    ConnectionCommands(
            CmIdCore core,
            Binding binding,
            ConnectionQp qp,
            UserManagedQp userManagedQp,
            @Nullable EventReply request) {
        this.core = core;
        this.binding = binding;
        this.qp = qp;
        this.userManagedQp = userManagedQp;
        this.request = request;
    }

    void connect(ConnectionParameters parameters) throws RdmaException {
        core.command(CmCommand.CONNECT, () -> {
            qp.minRnrTimer(parameters.minRnrTimer());
            ConnParam param = parameters.request(
                    binding.requireDevice(), qp.numberOr(parameters.qpNumber()), privateDataLimits());
            ConnectCommand body = new ConnectCommand(core.handle(), qp.describe(param), userManagedQp.localEce());
            core.ucm().send(UcmCommand.CONNECT, body::encode);
        });
    }

    void accept(ConnectionParameters parameters) throws RdmaException {
        int qpNumber = qp.numberOr(parameters.qpNumber());
        if (core.isDatagram()) {
            core.command(CmCommand.ACCEPT_DATAGRAM, () -> answer(parameters.answer(qpNumber, privateDataLimits())));
            return;
        }
        core.command(CmCommand.ACCEPT, () -> {
            ConnParam asked = Objects.requireNonNull(request).conn();
            ConnParam reply = parameters.reply(asked, binding.requireDevice(), qpNumber, privateDataLimits());
            qp.minRnrTimer(parameters.minRnrTimer());
            qp.makeReady(reply.responderResources(), reply.initiatorDepth());
            try {
                answer(qp.describe(reply));
            } catch (RdmaException e) {
                qp.flushAfter(e);
                throw e;
            }
        });
    }

    private void answer(ConnParam reply) throws RdmaException {
        Ece ece = new Ece(
                userManagedQp.remoteEce().vendorId(), userManagedQp.localEce().attrMod());
        core.ucm().send(UcmCommand.ACCEPT, new AcceptCommand(core.handle(), core.uid(), reply, ece)::encode);
    }

    /** Rejects a request; {@code reason} is {@code IB_CM_REJ_*}, or 0 for the default reason of the kernel. */
    void reject(byte[] privateData, int reason) throws RdmaException {
        PrivateDataLimits.require(privateData.length, privateDataLimits().reject(), "rejection");
        RejectCommand body = new RejectCommand(core.handle(), privateData, reason);
        core.command(CmCommand.REJECT, () -> core.ucm().send(UcmCommand.REJECT, body::encode));
    }

    private PrivateDataLimits privateDataLimits() {
        return PrivateDataLimits.of(core.isDatagram(), core.addresses().isIp());
    }

    void disconnect() throws RdmaException {
        core.command(core.isDatagram() ? CmCommand.DISCONNECT_DATAGRAM : CmCommand.DISCONNECT, () -> {
            qp.finish();
            core.ucm().send(UcmCommand.DISCONNECT, new DisconnectCommand(core.handle())::encode);
        });
    }
}
