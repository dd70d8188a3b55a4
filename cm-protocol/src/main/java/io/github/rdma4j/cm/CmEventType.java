// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.ucm.CmEventTypes;
import io.github.rdma4j.internal.ucm.LaterCommands;

/** The type of an event, {@code enum rdma_cm_event_type}. */
public enum CmEventType {
    /** {@code RDMA_CM_EVENT_ADDR_RESOLVED}: the id is bound to a device and knows the way to its peer's address. */
    ADDR_RESOLVED(CmEventTypes.RDMA_CM_EVENT_ADDR_RESOLVED),
    /** {@code RDMA_CM_EVENT_ADDR_ERROR}: the peer's address was not resolved; the status says why. Resolving may be tried again. */
    ADDR_ERROR(CmEventTypes.RDMA_CM_EVENT_ADDR_ERROR),
    /** {@code RDMA_CM_EVENT_ROUTE_RESOLVED}: the route to the peer is known, and the id may connect. */
    ROUTE_RESOLVED(CmEventTypes.RDMA_CM_EVENT_ROUTE_RESOLVED),
    /** {@code RDMA_CM_EVENT_ROUTE_ERROR}: no route was found. Resolving the route may be tried again. */
    ROUTE_ERROR(CmEventTypes.RDMA_CM_EVENT_ROUTE_ERROR),
    /** {@code RDMA_CM_EVENT_CONNECT_REQUEST}: a peer asks a listener for a connection; {@link CmEvent#id()} is the new id. */
    CONNECT_REQUEST(CmEventTypes.RDMA_CM_EVENT_CONNECT_REQUEST),
    /**
     * {@code RDMA_CM_EVENT_CONNECT_RESPONSE}: the peer has accepted, and the id has no queue pair of its own; the caller completes
     * the connection with {@link ExternalQp#establish}.
     */
    CONNECT_RESPONSE(CmEventTypes.RDMA_CM_EVENT_CONNECT_RESPONSE),
    /** {@code RDMA_CM_EVENT_CONNECT_ERROR}: the peer has accepted, but the queue pair on this side could not be made ready. */
    CONNECT_ERROR(CmEventTypes.RDMA_CM_EVENT_CONNECT_ERROR),
    /** {@code RDMA_CM_EVENT_UNREACHABLE}: the peer does not answer. May follow ESTABLISHED if the peer's hardware address changes. */
    UNREACHABLE(CmEventTypes.RDMA_CM_EVENT_UNREACHABLE),
    /**
     * {@code RDMA_CM_EVENT_REJECTED}: the peer has rejected the request; the status is the reason, and the peer may have sent
     * private data. May follow ESTABLISHED when the passive side closes before it has heard that the connection is established.
     */
    REJECTED(CmEventTypes.RDMA_CM_EVENT_REJECTED),
    /**
     * {@code RDMA_CM_EVENT_ESTABLISHED}: both sides may send. The passive side of a connection that its peer ends at once may
     * get DISCONNECTED without it.
     */
    ESTABLISHED(CmEventTypes.RDMA_CM_EVENT_ESTABLISHED),
    /** {@code RDMA_CM_EVENT_DISCONNECTED}: the connection has ended; answer with {@link CmId#disconnect}, which flushes the queues. */
    DISCONNECTED(CmEventTypes.RDMA_CM_EVENT_DISCONNECTED),
    /** {@code RDMA_CM_EVENT_DEVICE_REMOVAL}: the device is being removed; close the id, for which the kernel waits. */
    DEVICE_REMOVAL(CmEventTypes.RDMA_CM_EVENT_DEVICE_REMOVAL),
    /** {@code RDMA_CM_EVENT_MULTICAST_JOIN}: the id has joined a multicast group; see {@link CmEvent#membership()}. */
    MULTICAST_JOIN(CmEventTypes.RDMA_CM_EVENT_MULTICAST_JOIN),
    /** {@code RDMA_CM_EVENT_MULTICAST_ERROR}: joining a multicast group has failed, or the membership was lost. */
    MULTICAST_ERROR(CmEventTypes.RDMA_CM_EVENT_MULTICAST_ERROR),
    /** {@code RDMA_CM_EVENT_ADDR_CHANGE}: the network device has another hardware address now. */
    ADDR_CHANGE(CmEventTypes.RDMA_CM_EVENT_ADDR_CHANGE),
    /** {@code RDMA_CM_EVENT_TIMEWAIT_EXIT}: nothing of the ended connection can arrive any more. */
    TIMEWAIT_EXIT(CmEventTypes.RDMA_CM_EVENT_TIMEWAIT_EXIT),
    /** {@code RDMA_CM_EVENT_ADDRINFO_RESOLVED}: the services that were asked for are known; see {@link CmId#services}. */
    ADDRINFO_RESOLVED(LaterCommands.RDMA_CM_EVENT_ADDRINFO_RESOLVED),
    /** {@code RDMA_CM_EVENT_ADDRINFO_ERROR}: looking up services has failed; the status says why. */
    ADDRINFO_ERROR(LaterCommands.RDMA_CM_EVENT_ADDRINFO_ERROR),
    /** {@code RDMA_CM_EVENT_USER}: written by {@link CmId#writeEvent}, with its status and argument. */
    USER(LaterCommands.RDMA_CM_EVENT_USER),
    /** {@code RDMA_CM_EVENT_INTERNAL}: written by a library for itself. */
    INTERNAL(LaterCommands.RDMA_CM_EVENT_INTERNAL),
    /** An event that this version has no name for; {@link CmEvent#rawType()} is its number. */
    UNKNOWN(-1);

    private static final CmEventType[] BY_CODE = values();

    private final int code;

    CmEventType(int code) {
        this.code = code;
    }

    /** The kernel's number. */
    public int code() {
        return code;
    }

    /** The name of the C constant, as {@code rdma_event_str(3)} gives it; {@code UNKNOWN EVENT} for {@link #UNKNOWN}. */
    public String cName() {
        return this == UNKNOWN ? "UNKNOWN EVENT" : "RDMA_CM_EVENT_" + name();
    }

    /**
     * What an event of this type with that status means and what can be done about it, as {@link CmEventException} says it:
     * a sentence without a full stop, or nothing where nothing is known.
     *
     * @param status as {@link CmEvent#status()}: minus an error number, or a number from the wire
     */
    public String advice(int status) {
        return Advice.on(this, status);
    }

    static CmEventType of(int code) {
        return code >= 0 && code < BY_CODE.length - 1 ? BY_CODE[code] : UNKNOWN;
    }
}
