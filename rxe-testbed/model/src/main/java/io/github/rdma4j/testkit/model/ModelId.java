// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** A CM id of the model, with the state of {@code struct rdma_cm_id} and of the {@code struct ib_cm_id} below it. */
final class ModelId {
    static final int UD = 4;

    /** {@code enum rdma_cm_state}, to the extent that commands check it. */
    enum Phase {
        IDLE,
        BOUND,
        ADDRESS_RESOLVED,
        ROUTE_RESOLVED,
        LISTENING,
        CONNECTING
    }

    /** {@code enum ib_cm_state}: the state of the message exchange with the peer. */
    enum Link {
        NONE,
        REQ_SENT,
        REQ_RCVD,
        REP_SENT,
        REP_RCVD,
        ESTABLISHED,
        DREQ_SENT,
        DREQ_RCVD,
        TIMEWAIT,
        ENDED
    }

    final int handle;
    final int portSpace;
    final int qpType;

    /** The file that receives the events of the id. */
    CmFile file;

    /** The number of the id in events; 0 for a child that is not accepted yet, which receives no events. */
    long uid;

    Phase phase = Phase.IDLE;
    Link link = Link.NONE;

    @Nullable
    InetSocketAddress local;

    @Nullable
    InetSocketAddress peer;

    boolean hasDevice;
    boolean isRemoved;
    boolean isDestroyed;
    boolean reusesAddress;

    /** The id at the other end of the connection. */
    @Nullable
    ModelId other;

    /** The maximum number of unfetched requests of a listener. */
    int backlog;

    int waiting;
    final Queue<ModelId> turnedAway = new ArrayDeque<>();

    /** The listener of a child whose event is not fetched yet. */
    @Nullable
    ModelId unfetchedAt;

    /** The values that the id sent last, {@code struct rdma_ucm_conn_param}. */
    byte[] said = new byte[0];

    int reported;
    int responderResources;
    int initiatorDepth;

    ModelId(int handle, int portSpace, int qpType, CmFile file, long uid) {
        this.handle = handle;
        this.portSpace = portSpace;
        this.qpType = qpType;
        this.file = file;
        this.uid = uid;
    }

    boolean isDatagram() {
        return qpType == UD;
    }

    /** Returns the local address of a bound id. */
    InetSocketAddress requireLocal() {
        if (local == null) {
            throw new IllegalStateException("not bound: id " + handle);
        }
        return local;
    }

    /** Returns true if this id listens for requests to {@code destination}. */
    boolean isAskedBy(InetSocketAddress destination, int space) {
        if (phase != Phase.LISTENING || space != portSpace || local == null || isRemoved) {
            return false;
        }
        InetAddress address = local.getAddress();
        return local.getPort() == destination.getPort()
                && (address.isAnyLocalAddress() || address.equals(destination.getAddress()));
    }
}
