// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.ucm.NotifyCommand;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AsyncEventType;
import io.github.rdma4j.verbs.QpAttr;
import io.github.rdma4j.verbs.QpState;

/**
 * The side of a CM id that a queue pair needs which was not made through the id: its owner moves it from state to state
 * as the connection proceeds. See {@link CmId#externalQp()}. Safe for use by several threads.
 *
 * <p>The active side connects with {@link ConnectionParameters#qpNumber()}, gets CONNECT_RESPONSE, moves its queue pair to
 * INIT, RTR and RTS with {@link #attributes}, and calls {@link #establish()}. The passive side does the same before it
 * accepts.
 */
public final class ExternalQp {
    private final CmId id;
    private final KernelId at;
    private volatile Ece localEce = Ece.NONE;
    private volatile Ece remoteEce;

    ExternalQp(CmId id, KernelId at, Ece remoteEce) {
        this.id = id;
        this.at = at;
        this.remoteEce = remoteEce;
    }

    /**
     * The attributes that the connection wants a queue pair to have in {@code state} ({@code rdma_init_qp_attr(3)}).
     *
     * @throws io.github.rdma4j.kernel.ErrnoException EINVAL when the connection is not that far
     */
    public QpAttr attributes(QpState state) throws RdmaException {
        id.lock().lock();
        try {
            id.ensureOpen();
            return at.ucm().initQpAttr(at.handle(), state.code());
        } finally {
            id.lock().unlock();
        }
    }

    /**
     * Completes the connection, after CONNECT_RESPONSE and after the queue pair was made ready ({@code
     * rdma_establish(3)}). No event follows on this side.
     */
    public void establish() throws RdmaException {
        id.command(CmCommand.ESTABLISH, () -> {
            if (id.qp().isPresent()) {
                throw new IllegalStateException(id + " has a queue pair of its own and establishes by itself");
            }
            id.events().sendReadyToUse();
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
        id.command(
                CmCommand.NOTIFY,
                () -> at.ucm().send(UcmCommand.NOTIFY, new NotifyCommand(at.handle(), event.code())::encode));
    }

    /**
     * What connect or accept is to offer: options of the queue pair's driver ({@code rdma_set_local_ece(3)}).
     *
     * @throws IllegalStateException when the id has a queue pair, whose driver knows its own
     * @throws IllegalArgumentException for options of no vendor
     */
    public void setLocalEce(Ece ece) {
        if (ece.vendorId() == 0) {
            throw new IllegalArgumentException("enhanced connection establishment without a vendor: " + ece);
        }
        if (id.qp().isPresent()) {
            throw new IllegalStateException(id + " has a queue pair of its own");
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
