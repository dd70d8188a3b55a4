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
 * The side of a CM id that a queue pair needs which was not made through the id: its owner moves it from state to state
 * as the connection proceeds. See {@link CmId#userManagedQp()}. Safe for use by several threads.
 *
 * <p>The active side connects with {@link ConnectionParameters#qpNumber()}, gets CONNECT_RESPONSE, moves its queue pair to
 * INIT, RTR and RTS with {@link #attributes}, and calls {@link #establish()}. The passive side does the same before it
 * accepts.
 */
public final class UserManagedQp {
    private final CmIdCore core;
    private final ConnectionQp qp;
    private volatile Ece localEce = Ece.NONE;
    private volatile Ece remoteEce;

    UserManagedQp(CmIdCore core, ConnectionQp qp, Ece remoteEce) {
        this.core = core;
        this.qp = qp;
        this.remoteEce = remoteEce;
    }

    /**
     * The attributes that the connection wants a queue pair to have in {@code state} ({@code rdma_init_qp_attr(3)}).
     *
     * @throws io.github.rdma4j.kernel.ErrnoException EINVAL when the connection is not that far
     */
    public QpAttr attributes(QpState state) throws RdmaException {
        return core.whileOpen(() -> core.ucm().initQpAttr(core.handle(), state.code()));
    }

    /**
     * Completes the connection, after CONNECT_RESPONSE and after the queue pair was made ready ({@code
     * rdma_establish(3)}). No event follows on this side.
     */
    public void establish() throws RdmaException {
        core.command(CmCommand.ESTABLISH, () -> {
            if (qp.get() != null) {
                throw new IllegalStateException(core + " has a queue pair of its own and establishes by itself");
            }
            qp.sendReadyToUse();
        });
    }

    /**
     * Tells the connection manager of an asynchronous event of the queue pair ({@code rdma_notify(3)}). {@link
     * AsyncEventType#COMM_EST} is of use: data has come before the peer's last word of the connection, and ESTABLISHED
     * follows.
     *
     * @throws io.github.rdma4j.kernel.ErrnoException EISCONN when the connection is established already
     */
    public void notifyOf(AsyncEventType event) throws RdmaException {
        NotifyCommand body = new NotifyCommand(core.handle(), event.code());
        core.command(CmCommand.NOTIFY, () -> core.ucm().send(UcmCommand.NOTIFY, body::encode));
    }

    /**
     * What connect or accept is to offer: options of the queue pair's driver ({@code rdma_set_local_ece(3)}).
     *
     * @throws IllegalStateException when the id has a queue pair, whose driver knows its own
     * @throws IllegalArgumentException for options of no vendor
     */
    public void setLocalEce(Ece ece) {
        if (ece.vendorId() == 0) {
            throw new IllegalArgumentException("the vendor of " + ece + " is 0; it must be the number of a vendor");
        }
        if (qp.get() != null) {
            throw new IllegalStateException(core + " has a queue pair of its own");
        }
        localEce = ece;
    }

    Ece localEce() {
        return localEce;
    }

    /** What the peer has offered; {@link Ece#NONE} before it has, or when it has none ({@code rdma_get_remote_ece(3)}). */
    public Ece remoteEce() {
        return remoteEce;
    }

    void learnRemoteEce(Ece ece) {
        remoteEce = ece;
    }
}
