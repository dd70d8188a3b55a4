// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.Codes;
import io.github.rdma4j.internal.abi.KernelConstants;

/** The type of an event, {@code enum rdma_cm_event_type}. */
@KernelConstants(value = "rdma/rdma_cma.h", prefix = "RDMA_CM_EVENT_")
public enum CmEventType {
    /** {@code RDMA_CM_EVENT_ADDR_RESOLVED}: the id is bound to a device and knows the way to its peer's address. */
    ADDR_RESOLVED(0),
    /** {@code RDMA_CM_EVENT_ADDR_ERROR}: the peer's address was not resolved; the status says why. Resolving may be tried again. */
    ADDR_ERROR(1),
    /** {@code RDMA_CM_EVENT_ROUTE_RESOLVED}: the route to the peer is known, and the id may connect. */
    ROUTE_RESOLVED(2),
    /** {@code RDMA_CM_EVENT_ROUTE_ERROR}: no route was found. Resolving the route may be tried again. */
    ROUTE_ERROR(3),
    /** {@code RDMA_CM_EVENT_CONNECT_REQUEST}: a peer asks a listener for a connection; {@link CmEvent#id()} is the new id. */
    CONNECT_REQUEST(4),
    /**
     * {@code RDMA_CM_EVENT_CONNECT_RESPONSE}: the peer has accepted, and the id has no queue pair of its own; the caller completes
     * the connection with {@link UserManagedQp#establish}.
     */
    CONNECT_RESPONSE(5),
    /**
     * {@code RDMA_CM_EVENT_CONNECT_ERROR}: the peer has accepted, but the queue pair on this side could not be made ready. For a
     * listener: a request could not be processed.
     */
    CONNECT_ERROR(6),
    /** {@code RDMA_CM_EVENT_UNREACHABLE}: the peer does not answer. May follow ESTABLISHED if the peer's hardware address changes. */
    UNREACHABLE(7),
    /**
     * {@code RDMA_CM_EVENT_REJECTED}: the peer has rejected the request; the status is the reason, and the peer may have sent
     * private data. Follows ESTABLISHED when the passive side closes before it has heard that the connection is established, and is
     * the end of the connection then; no DISCONNECTED comes.
     */
    REJECTED(8),
    /**
     * {@code RDMA_CM_EVENT_ESTABLISHED}: both sides may send. The passive side of a connection that its peer ends at once may
     * get DISCONNECTED without it.
     */
    ESTABLISHED(9),
    /** {@code RDMA_CM_EVENT_DISCONNECTED}: the connection has ended; answer with {@link CmId#disconnect}, which flushes the queues. */
    DISCONNECTED(10),
    /** {@code RDMA_CM_EVENT_DEVICE_REMOVAL}: the device is being removed; close the id, for which the kernel waits. */
    DEVICE_REMOVAL(11),
    /** {@code RDMA_CM_EVENT_MULTICAST_JOIN}: the id has joined a multicast group; see {@link CmEvent#membership()}. */
    MULTICAST_JOIN(12),
    /** {@code RDMA_CM_EVENT_MULTICAST_ERROR}: joining a multicast group has failed, or the membership was lost. */
    MULTICAST_ERROR(13),
    /** {@code RDMA_CM_EVENT_ADDR_CHANGE}: the network device has another hardware address now. */
    ADDR_CHANGE(14),
    /** {@code RDMA_CM_EVENT_TIMEWAIT_EXIT}: nothing of the ended connection can arrive any more. */
    TIMEWAIT_EXIT(15),
    /** {@code RDMA_CM_EVENT_ADDRINFO_RESOLVED}: the services that were asked for are known; see {@link CmId#services}. */
    @CName(value = "RDMA_CM_EVENT_ADDRINFO_RESOLVED", since = "6.18")
    ADDRINFO_RESOLVED(16),
    /** {@code RDMA_CM_EVENT_ADDRINFO_ERROR}: looking up services has failed; the status says why. */
    @CName(value = "RDMA_CM_EVENT_ADDRINFO_ERROR", since = "6.18")
    ADDRINFO_ERROR(17),
    /** {@code RDMA_CM_EVENT_USER}: written by {@link CmId#writeEvent}, with its status and argument. */
    @CName(value = "RDMA_CM_EVENT_USER", since = "6.18")
    USER(18),
    /** {@code RDMA_CM_EVENT_INTERNAL}: written by a library for itself. */
    @CName(value = "RDMA_CM_EVENT_INTERNAL", since = "6.18")
    INTERNAL(19),
    /** An event that this version has no name for; {@link CmEvent#rawType()} is its number. */
    UNKNOWN(-1);

    private static final Codes<CmEventType> CODES = Codes.of(values(), CmEventType::code, UNKNOWN);

    private final int code;

    CmEventType(int code) {
        this.code = code;
    }

    /** The kernel's number ({@code RDMA_CM_EVENT_*}); -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** The name of the C constant, as {@code rdma_event_str(3)} gives it; {@code UNKNOWN EVENT} for {@link #UNKNOWN}. */
    public String cName() {
        return this == UNKNOWN ? "UNKNOWN EVENT" : "RDMA_CM_EVENT_" + name();
    }

    /**
     * Whether the event ends a connection that was established. DISCONNECTED usually does; REJECTED, UNREACHABLE and CONNECT_ERROR
     * come in its place when the peer goes before it has heard that the connection is established; DEVICE_REMOVAL ends all of
     * the id.
     */
    public boolean endsConnection() {
        return switch (this) {
            case DISCONNECTED, REJECTED, UNREACHABLE, CONNECT_ERROR, DEVICE_REMOVAL -> true;
            default -> false;
        };
    }

    /** The type with a number of the kernel; {@link #UNKNOWN} for a number without a name. */
    public static CmEventType of(int code) {
        return CODES.get(code);
    }
}
