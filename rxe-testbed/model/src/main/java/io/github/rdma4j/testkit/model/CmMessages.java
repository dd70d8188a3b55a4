// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.internal.testkit.IwarpQueuePairs;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.testkit.model.ModelId.Link;
import io.github.rdma4j.testkit.model.ModelId.Phase;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages between the ids of the model: REQ, REP, RTU, REJ, DREQ, DREP, and the service resolution of datagrams. A
 * message arrives at once; its event may be held back.
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

    /** Held events in their original order; null unless events are being held. */
    private @Nullable List<ModelEvent> held;

    /** The queue pairs of an iWARP device, which the kernel moves; null for a RoCE device. */
    private @Nullable IwarpQueuePairs iwarp;

    /** The number of further confirmations to drop. */
    private int confirmationsToLose;

    CmMessages(ModelIds ids) {
        this.ids = ids;
    }

    void serve(IwarpQueuePairs queuePairs) {
        iwarp = queuePairs;
    }

    boolean isIwarp() {
        return iwarp != null;
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

    /** Delivers an event to the current channel of its id. An id without a uid receives no events. */
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

    /** Delivers the held events in their original or in reverse order. */
    void release(boolean newestFirst) {
        List<ModelEvent> events = held == null ? List.of() : held;
        held = null;
        for (int i = 0; i < events.size(); i++) {
            tell(events.get(newestFirst ? events.size() - 1 - i : i));
        }
    }

    /** Removes the held requests to {@code listener} and returns their new ids. */
    List<ModelId> takeHeldChildren(ModelId listener) {
        List<ModelId> children = new ArrayList<>();
        if (held != null) {
            held.removeIf(event -> event.to() == listener && event.child() != null && children.add(event.child()));
        }
        return children;
    }

    // ---- messages

    /** Sends REQ or SIDR REQ. */
    void request(ModelId from) {
        from.link = Link.REQ_SENT;
        InetSocketAddress destination = from.peer;
        ModelId listener = destination == null ? null : ids.listenerAt(destination, from.portSpace);
        if (listener == null) {
            from.link = Link.ENDED;
            tell(
                    from.isDatagram()
                            ? ModelEvent.of(from, CmEventType.UNREACHABLE, SIDR_UNSUPPORTED)
                            : ModelEvent.rejection(
                                    from,
                                    CmEventType.REJECTED,
                                    status(NO_LISTENER, Errno.ECONNREFUSED),
                                    new byte[0],
                                    REJ_ROOM));
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

    /** Makes room for another request after {@code child} was fetched; a sender without room repeats its request. */
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

    /** Sends REP or SIDR REP. */
    void reply(ModelId child) {
        ModelId asking = child.other;
        if (asking != null && iwarp != null) {
            connect(iwarp, asking, child);
            return;
        }
        child.link = child.isDatagram() ? Link.ENDED : Link.REP_SENT;
        if (asking != null) {
            asking.link = child.isDatagram() ? Link.ENDED : Link.REP_RCVD;
            CmEventType type = child.isDatagram() ? CmEventType.ESTABLISHED : CmEventType.CONNECT_RESPONSE;
            tell(ModelEvent.saying(asking, type, 0, child, replyRoom(child)));
        }
    }

    /** Connects by the reply, over iWARP: the active side sends no confirmation. */
    private void connect(IwarpQueuePairs queuePairs, ModelId asking, ModelId child) {
        queuePairs.connect(number(asking), number(child));
        asking.link = Link.ESTABLISHED;
        tell(ModelEvent.saying(asking, CmEventType.ESTABLISHED, 0, child, replyRoom(child)));
        establish(child);
    }

    private static int number(ModelId id) {
        return ByteBuffer.wrap(id.said).order(ByteOrder.nativeOrder()).getInt(ConnParam.QP_NUM);
    }

    void loseNextConfirmation() {
        confirmationsToLose++;
    }

    /** Sends RTU. */
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

    /** Sends REJ, or a SIDR REP with a rejection. */
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
                        : ModelEvent.rejection(
                                to, CmEventType.REJECTED, status(reason, Errno.ECONNRESET), privateData, REJ_ROOM));
    }

    /**
     * The status of a rejection: over iWARP an error of the TCP connection, otherwise a reason of the InfiniBand
     * specification.
     */
    private int status(int reason, Errno overIwarp) {
        return isIwarp() ? -overIwarp.number() : reason;
    }

    /** Sends DREQ, or DREP in reply to a DREQ. */
    void disconnect(ModelId from) {
        ModelId to = from.other;
        if (iwarp != null) {
            end(iwarp, from);
            if (to != null) {
                end(iwarp, to);
            }
        } else if (from.link == Link.ESTABLISHED) {
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

    /** Ends the connection for both sides, over iWARP. */
    private void end(IwarpQueuePairs queuePairs, ModelId side) {
        if (side.link == Link.ESTABLISHED) {
            side.link = Link.ENDED;
            queuePairs.disconnect(number(side));
            tell(ModelEvent.of(side, CmEventType.DISCONNECTED, 0));
        }
    }

    /** Sends the message that a destroyed id causes for its peer. */
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
