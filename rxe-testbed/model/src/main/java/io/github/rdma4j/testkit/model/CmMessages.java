// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.testkit.model.ModelId.Link;
import io.github.rdma4j.testkit.model.ModelId.Phase;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages between the ids of the model: REQ, REP, RTU, REJ, DREQ, DREP, and the service resolution of datagrams. A
 * message arrives at once; the event that tells of it may be held back.
 */
final class CmMessages {
    static final int CONSUMER_DEFINED = 28;
    private static final int PEER_GONE = 4;
    private static final int NO_LISTENER = 8;
    private static final int SIDR_UNSUPPORTED = 1;
    private static final int SIDR_REJECTED = 2;
    private static final int REQ_ROOM = 56;
    private static final int REP_ROOM = 196;
    private static final int REJ_ROOM = 148;
    private static final int SIDR_REQ_ROOM = 180;
    private static final int SIDR_REP_ROOM = 136;

    private final ModelIds ids;

    /** Events that are held back, in the order in which they happened; null while none are. */
    private @Nullable List<ModelEvent> held;

    /** How many of the next confirmations are lost on the way. */
    private int confirmationsToLose;

    CmMessages(ModelIds ids) {
        this.ids = ids;
    }

    static int requestRoom(ModelId id) {
        return id.isDatagram() ? SIDR_REQ_ROOM : REQ_ROOM;
    }

    static int replyRoom(ModelId id) {
        return id.isDatagram() ? SIDR_REP_ROOM : REP_ROOM;
    }

    static int rejectRoom(ModelId id) {
        return id.isDatagram() ? SIDR_REP_ROOM : REJ_ROOM;
    }

    // ---- events

    /** Delivers the event to the id, whatever its channel. An id that has no uid yet gets no event. */
    void tell(ModelEvent event) {
        if (held != null) {
            held.add(event);
        } else if (!event.to().isDestroyed && (event.to().uid != 0 || event.child() != null)) {
            event.to().file.add(event);
        }
    }

    void hold() {
        if (held == null) {
            held = new ArrayList<>();
        }
    }

    /** Lets all go that were held, in that order or in the opposite one. */
    void letGo(boolean newestFirst) {
        List<ModelEvent> events = held == null ? List.of() : held;
        held = null;
        for (int i = 0; i < events.size(); i++) {
            tell(events.get(newestFirst ? events.size() - 1 - i : i));
        }
    }

    /** The new ids of requests to {@code listener} that are held back. */
    List<ModelId> takeHeldChildren(ModelId listener) {
        List<ModelId> children = new ArrayList<>();
        if (held != null) {
            held.removeIf(event -> event.to() == listener && event.child() != null && children.add(event.child()));
        }
        return children;
    }

    // ---- messages

    /** REQ, or SIDR REQ. */
    void request(ModelId from) {
        from.link = Link.REQ_SENT;
        InetSocketAddress destination = from.peer;
        ModelId listener = destination == null ? null : ids.listenerAt(destination, from.portSpace);
        if (listener == null) {
            from.link = Link.ENDED;
            tell(
                    from.isDatagram()
                            ? ModelEvent.of(from, CmEventType.UNREACHABLE, SIDR_UNSUPPORTED)
                            : ModelEvent.rejection(from, CmEventType.REJECTED, NO_LISTENER, new byte[0], REJ_ROOM));
        } else if (listener.waiting >= listener.backlog) {
            listener.turnedAway.add(from);
        } else {
            arrive(from, listener);
        }
    }

    private void arrive(ModelId from, ModelId listener) {
        ModelId child = ids.create(listener.portSpace, listener.qpType, listener.file, 0);
        child.phase = Phase.CONNECTING;
        child.link = Link.REQ_RCVD;
        child.hasDevice = true;
        child.local = from.peer;
        child.peer = from.local;
        child.other = from;
        child.unfetchedAt = listener;
        from.other = child;
        listener.waiting++;
        tell(ModelEvent.request(listener, child, CmEventType.CONNECT_REQUEST, from, requestRoom(from)));
    }

    /** A request was fetched: there is room for one that was not, since its sender asks again. */
    void fetched(ModelId child) {
        ModelId listener = child.unfetchedAt;
        if (listener == null) {
            return;
        }
        child.unfetchedAt = null;
        listener.waiting--;
        ModelId next;
        do {
            next = listener.turnedAway.poll();
        } while (next != null && (next.isDestroyed || next.link != Link.REQ_SENT));
        if (next != null) {
            arrive(next, listener);
        }
    }

    /** REP, or SIDR REP. */
    void reply(ModelId child) {
        ModelId asking = child.other;
        child.link = child.isDatagram() ? Link.ENDED : Link.REP_SENT;
        if (asking != null) {
            asking.link = child.isDatagram() ? Link.ENDED : Link.REP_RCVD;
            CmEventType type = child.isDatagram() ? CmEventType.ESTABLISHED : CmEventType.CONNECT_RESPONSE;
            tell(ModelEvent.saying(asking, type, 0, child, replyRoom(child)));
        }
    }

    void loseNextConfirmation() {
        confirmationsToLose++;
    }

    /** RTU. */
    void confirm(ModelId active) {
        active.link = Link.ESTABLISHED;
        if (confirmationsToLose > 0) {
            confirmationsToLose--;
            return;
        }
        ModelId child = active.other;
        if (child != null && child.link == Link.REP_SENT) {
            establish(child);
        }
    }

    void establish(ModelId child) {
        child.link = Link.ESTABLISHED;
        tell(ModelEvent.of(child, CmEventType.ESTABLISHED, 0));
    }

    /** REJ, or a SIDR REP that says no. */
    void reject(ModelId from, int reason, byte[] privateData) {
        from.link = Link.ENDED;
        ModelId to = from.other;
        if (to == null) {
            return;
        }
        to.link = Link.ENDED;
        to.other = null;
        from.other = null;
        tell(
                from.isDatagram()
                        ? ModelEvent.of(to, CmEventType.UNREACHABLE, SIDR_REJECTED)
                        : ModelEvent.rejection(to, CmEventType.REJECTED, reason, privateData, REJ_ROOM));
    }

    /** DREQ, or the DREP that answers one. */
    void disconnect(ModelId from) {
        ModelId to = from.other;
        if (from.link == Link.ESTABLISHED) {
            from.link = Link.DREQ_SENT;
            if (to != null) {
                to.link = Link.DREQ_RCVD;
                tell(ModelEvent.of(to, CmEventType.DISCONNECTED, 0));
            }
        } else if (from.link == Link.DREQ_RCVD) {
            from.link = Link.TIMEWAIT;
            if (to != null && to.link == Link.DREQ_SENT) {
                to.link = Link.TIMEWAIT;
                tell(ModelEvent.of(to, CmEventType.DISCONNECTED, 0));
            }
        }
    }

    /** The event that the peer gets when an id is destroyed. */
    void end(ModelId id) {
        switch (id.link) {
            case REQ_SENT -> {
                if (id.isDatagram() && id.other != null) {
                    id.other.other = null;
                } else {
                    reject(id, PEER_GONE, new byte[0]);
                }
            }
            case REQ_RCVD, REP_SENT, REP_RCVD -> reject(id, CONSUMER_DEFINED, new byte[0]);
            case ESTABLISHED, DREQ_RCVD -> disconnect(id);
            default -> {}
        }
        if (id.other != null) {
            id.other.other = null;
            id.other = null;
        }
    }
}
