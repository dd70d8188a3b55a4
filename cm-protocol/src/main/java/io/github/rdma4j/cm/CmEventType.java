// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.Codes;
import io.github.rdma4j.internal.abi.KernelConstants;

/** The type of an event, {@code enum rdma_cm_event_type}. */
@KernelConstants(value = "rdma/rdma_cma.h", prefix = "RDMA_CM_EVENT_")
public enum CmEventType {
    /** {@code RDMA_CM_EVENT_ADDR_RESOLVED}: the peer's address was resolved, and the id is bound to a device. */
    ADDR_RESOLVED(0),
    /**
     * {@code RDMA_CM_EVENT_ADDR_ERROR}: the peer's address could not be resolved; the status gives the cause.
     * Resolution can be retried.
     */
    ADDR_ERROR(1),
    /** {@code RDMA_CM_EVENT_ROUTE_RESOLVED}: the route to the peer was resolved, and the id may connect. */
    ROUTE_RESOLVED(2),
    /** {@code RDMA_CM_EVENT_ROUTE_ERROR}: the route to the peer could not be resolved. Resolution can be retried. */
    ROUTE_ERROR(3),
    /**
     * {@code RDMA_CM_EVENT_CONNECT_REQUEST}: a listener has received a connect request; {@link CmEvent#id()} is the new
     * id.
     */
    CONNECT_REQUEST(4),
    /**
     * {@code RDMA_CM_EVENT_CONNECT_RESPONSE}: the peer has accepted the request of an id without a queue pair; complete
     * the connection with {@link UserManagedQp#establish}.
     */
    CONNECT_RESPONSE(5),
    /**
     * {@code RDMA_CM_EVENT_CONNECT_ERROR}: the peer has accepted, but the local queue pair could not be made ready. On
     * a listener: a request could not be processed.
     */
    CONNECT_ERROR(6),
    /**
     * {@code RDMA_CM_EVENT_UNREACHABLE}: the peer did not answer. May follow ESTABLISHED if the peer's hardware address
     * changes.
     */
    UNREACHABLE(7),
    /**
     * {@code RDMA_CM_EVENT_REJECTED}: the peer has rejected the request. The status is the reason; the peer may have
     * sent private data. If the passive side closes before it learns that the connection is established, REJECTED
     * follows ESTABLISHED on the active side and ends the connection in place of DISCONNECTED.
     */
    REJECTED(8),
    /**
     * {@code RDMA_CM_EVENT_ESTABLISHED}: the connection is established, and both sides may send. If the peer
     * disconnects immediately, the passive side may get DISCONNECTED without ESTABLISHED.
     */
    ESTABLISHED(9),
    /**
     * {@code RDMA_CM_EVENT_DISCONNECTED}: the connection has ended. Call {@link CmId#disconnect}, which flushes the
     * queues.
     */
    DISCONNECTED(10),
    /** {@code RDMA_CM_EVENT_DEVICE_REMOVAL}: the device is being removed. Close the id; the kernel waits for that. */
    DEVICE_REMOVAL(11),
    /** {@code RDMA_CM_EVENT_MULTICAST_JOIN}: the id has joined a multicast group; see {@link CmEvent#membership()}. */
    MULTICAST_JOIN(12),
    /** {@code RDMA_CM_EVENT_MULTICAST_ERROR}: joining a multicast group failed, or the membership was lost. */
    MULTICAST_ERROR(13),
    /** {@code RDMA_CM_EVENT_ADDR_CHANGE}: the hardware address of the network device has changed. */
    ADDR_CHANGE(14),
    /** {@code RDMA_CM_EVENT_TIMEWAIT_EXIT}: no packets of the ended connection can arrive from now on. */
    TIMEWAIT_EXIT(15),
    /** {@code RDMA_CM_EVENT_ADDRINFO_RESOLVED}: the service lookup has completed; see {@link CmId#services}. */
    @CName(value = "RDMA_CM_EVENT_ADDRINFO_RESOLVED", since = "6.18")
    ADDRINFO_RESOLVED(16),
    /** {@code RDMA_CM_EVENT_ADDRINFO_ERROR}: the service lookup failed; the status gives the cause. */
    @CName(value = "RDMA_CM_EVENT_ADDRINFO_ERROR", since = "6.18")
    ADDRINFO_ERROR(17),
    /** {@code RDMA_CM_EVENT_USER}: queued by {@link CmId#writeEvent}, with its status and argument. */
    @CName(value = "RDMA_CM_EVENT_USER", since = "6.18")
    USER(18),
    /** {@code RDMA_CM_EVENT_INTERNAL}: reserved for the internal use of a library. */
    @CName(value = "RDMA_CM_EVENT_INTERNAL", since = "6.18")
    INTERNAL(19),
    /** An event type that this version of the library does not know; {@link CmEvent#rawType()} is its number. */
    UNKNOWN(-1);

    private static final Codes<CmEventType> CODES = Codes.of(values(), CmEventType::code, UNKNOWN);

    private final int code;

    CmEventType(int code) {
        this.code = code;
    }

    /** Returns the kernel's number for the type ({@code RDMA_CM_EVENT_*}); -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /**
     * Returns the name of the C constant, as {@code rdma_event_str(3)} does; {@code UNKNOWN EVENT} for
     * {@link #UNKNOWN}.
     */
    public String cName() {
        return this == UNKNOWN ? "UNKNOWN EVENT" : "RDMA_CM_EVENT_" + name();
    }

    /**
     * Returns true if the event can end an established connection. The usual event is DISCONNECTED. REJECTED,
     * UNREACHABLE or CONNECT_ERROR takes its place if the peer closes before it learns that the connection is
     * established. After DEVICE_REMOVAL the id can only be closed.
     */
    public boolean endsConnection() {
        return switch (this) {
            case DISCONNECTED, REJECTED, UNREACHABLE, CONNECT_ERROR, DEVICE_REMOVAL -> true;
            default -> false;
        };
    }

    /** Returns the type with the given kernel number, or {@link #UNKNOWN} if no type has that number. */
    public static CmEventType of(int code) {
        return CODES.get(code);
    }
}
