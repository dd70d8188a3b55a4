// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

/**
 * The state of a CM id as its user sees it: events change the state when they are retrieved, not when the kernel queues
 * them.
 * The kernel's own state, where it has one, is {@code enum rdma_cm_state}; CmStateMachine has the table of what leads
 * from one to the next.
 */
public enum CmState {
    /** Made, and not bound to an address ({@code RDMA_CM_IDLE}). */
    IDLE,
    /** Has a local address, and a device unless that address is a wildcard or loopback ({@code RDMA_CM_ADDR_BOUND}). */
    BOUND,
    /** Looking up the peer's address ({@code RDMA_CM_ADDR_QUERY}). */
    RESOLVING_ADDRESS,
    /** Knows device and hardware address ({@code RDMA_CM_ADDR_RESOLVED}). */
    ADDRESS_RESOLVED,
    /** Looking up the route ({@code RDMA_CM_ROUTE_QUERY}). */
    RESOLVING_ROUTE,
    /** May connect ({@code RDMA_CM_ROUTE_RESOLVED}). */
    ROUTE_RESOLVED,
    /** Takes connect requests ({@code RDMA_CM_LISTEN}). */
    LISTENING,
    /** Active side: the request is on its way ({@code RDMA_CM_CONNECT}). */
    CONNECTING,
    /** Active side: the peer has accepted, and the caller must make the queue pair ready and establish. */
    RESPONDED,
    /** Passive side: a request that waits for accept or reject ({@code RDMA_CM_CONNECT}). */
    REQUESTED,
    /** Passive side: accepted, the peer's last word is awaited. */
    ACCEPTING,
    /** Connected. */
    ESTABLISHED,
    /** Asked for the end of the connection ({@code RDMA_CM_DISCONNECT}). */
    DISCONNECTING,
    /** The connection has ended. */
    DISCONNECTED,
    /** Rejected, by the peer or by this side; the kernel takes no second attempt on the id. */
    REFUSED,
    /** The peer did not answer, or the queue pair could not be made ready; the kernel takes no second attempt on the id. */
    FAILED,
    /** The device is gone ({@code RDMA_CM_DEVICE_REMOVAL}). */
    DEVICE_REMOVED,
    /** Closed ({@code RDMA_CM_DESTROYING}). */
    DESTROYED
}
