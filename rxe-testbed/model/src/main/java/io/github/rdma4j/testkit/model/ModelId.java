// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** A CM id of the model: what {@code struct rdma_cm_id}, and {@code struct ib_cm_id} below it, know. */
final class ModelId {
    static final int UD = 4;

    /** {@code enum rdma_cm_state}, as far as commands ask for it. */
    enum Phase {
        IDLE,
        BOUND,
        ADDRESS_RESOLVED,
        ROUTE_RESOLVED,
        LISTENING,
        CONNECTING
    }

    /** {@code enum ib_cm_state}: where the exchange of messages with the peer stands. */
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

    /** The descriptor whose events tell of the id. */
    CmFile file;

    /** What events carry; a child has 0, and hears of nothing, until it is accepted. */
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

    /** Of a listener: how many requests may wait to be fetched, how many do, and those that found no room. */
    int backlog;

    int waiting;
    final Queue<ModelId> turnedAway = new ArrayDeque<>();

    /** Of a child: the listener that it was requested from, until its event is fetched. */
    @Nullable
    ModelId unfetchedAt;

    /** What the id has sent last: {@code struct rdma_ucm_conn_param}. */
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

    /** The address on this side; of an id that is bound. */
    InetSocketAddress requireLocal() {
        if (local == null) {
            throw new IllegalStateException("not bound: id " + handle);
        }
        return local;
    }

    /** Whether an id that listens here is asked by a request for {@code destination}. */
    boolean isAskedBy(InetSocketAddress destination, int space) {
        if (phase != Phase.LISTENING || space != portSpace || local == null || isRemoved) {
            return false;
        }
        InetAddress address = local.getAddress();
        return local.getPort() == destination.getPort()
                && (address.isAnyLocalAddress() || address.equals(destination.getAddress()));
    }
}
