// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.NotifyCommand;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;

/**
 * The operations of a CM id for a queue pair that was not created through the id: its owner moves it from state to
 * state as the connection proceeds. See {@link CmId#userManagedQp()}. Safe for use by several threads.
 *
 * <p>The active side connects with {@link ConnectionParameters#qpNumber()}, gets CONNECT_RESPONSE, moves its queue pair
 * to INIT, RTR and RTS with {@link #attributes}, and calls {@link #establish()}. The passive side moves its queue pair
 * in the same way before it accepts.
 */
public final class UserManagedQp {
    private final CmIdCore core;
    private final ConnectionQp qp;

    UserManagedQp(CmIdCore core, ConnectionQp qp) {
        this.core = core;
        this.qp = qp;
    }

    /**
     * Returns the attributes that the connection requires of a queue pair in {@code state}
     * ({@code rdma_init_qp_attr(3)}).
     *
     * @throws io.github.rdma4j.kernel.ErrnoException EINVAL if the connection has not reached the required state
     */
    public QpAttr attributes(QpState state) throws RdmaException {
        return core.whileOpen(() -> core.ucm().initQpAttr(core.handle(), state.code()));
    }

    /**
     * Completes the connection on the active side ({@code rdma_establish(3)}). Call it after CONNECT_RESPONSE, when the
     * queue pair is ready. No event follows on this side.
     *
     * @throws IllegalStateException if the queue pair was created through the id
     */
    public void establish() throws RdmaException {
        core.command(CmCommand.ESTABLISH, () -> {
            if (qp.get() != null) {
                throw new IllegalStateException(
                        core + " has a queue pair and completes its connection without establish()");
            }
            qp.sendReadyToUse();
        });
    }

    /**
     * Reports an asynchronous event of the queue pair to the connection manager ({@code rdma_notify(3)}). Use it for
     * {@link AsyncEventType#COMM_EST}: data arrived before the peer's confirmation, and ESTABLISHED follows.
     *
     * @throws io.github.rdma4j.kernel.ErrnoException EISCONN if the connection is already established
     */
    public void notifyOf(AsyncEventType event) throws RdmaException {
        NotifyCommand body = new NotifyCommand(core.handle(), event.code());
        core.command(CmCommand.NOTIFY, () -> core.ucm().send(UcmCommand.NOTIFY, body::encode));
    }

    /**
     * Sets the ECE options that the next connect or accept offers, as the driver of the queue pair defines them
     * ({@code rdma_set_local_ece(3)}).
     *
     * @throws IllegalStateException if the queue pair was created through the id
     * @throws IllegalArgumentException if the vendor of the options is 0
     */
    public void setLocalEce(Ece ece) {
        if (ece.vendorId() == 0) {
            throw new IllegalArgumentException("the vendor of " + ece + " is 0; it must be a vendor id other than 0");
        }
        if (qp.get() != null) {
            throw new IllegalStateException(
                    core + " has a queue pair; ECE options are only for a queue pair of the caller");
        }
        qp.offerEce(ece);
    }

    /**
     * Returns the ECE options that the peer has offered ({@code rdma_get_remote_ece(3)}); {@link Ece#NONE} before it
     * offers any or if it has none.
     */
    public Ece remoteEce() {
        return qp.remoteEce();
    }
}
