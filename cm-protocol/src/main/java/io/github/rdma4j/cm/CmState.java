// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

/**
 * The state of a CM id from the point of view of its user. An event changes the state when it is retrieved, not when
 * the kernel queues it. The constants name the corresponding kernel state ({@code enum rdma_cm_state}) where there is
 * one. CmStateMachine contains the transitions.
 */
public enum CmState {
    /** Not bound to an address ({@code RDMA_CM_IDLE}). */
    IDLE,
    /**
     * Bound to a local address, and to a device unless the address is a wildcard or loopback
     * ({@code RDMA_CM_ADDR_BOUND}).
     */
    BOUND,
    /** Resolving the peer's address ({@code RDMA_CM_ADDR_QUERY}). */
    RESOLVING_ADDRESS,
    /** The device and the hardware address are known ({@code RDMA_CM_ADDR_RESOLVED}). */
    ADDRESS_RESOLVED,
    /** Resolving the route to the peer ({@code RDMA_CM_ROUTE_QUERY}). */
    RESOLVING_ROUTE,
    /** The route is known, and the id may connect ({@code RDMA_CM_ROUTE_RESOLVED}). */
    ROUTE_RESOLVED,
    /** Listening for connect requests ({@code RDMA_CM_LISTEN}). */
    LISTENING,
    /** Active side: the connect request was sent ({@code RDMA_CM_CONNECT}). */
    CONNECTING,
    /** Active side: the peer has accepted; the caller must make the queue pair ready and call establish. */
    RESPONDED,
    /** Passive side: a connect request waits for accept or reject ({@code RDMA_CM_CONNECT}). */
    REQUESTED,
    /** Passive side: accepted, waiting for the peer's confirmation. */
    ACCEPTING,
    /** The connection is established. */
    ESTABLISHED,
    /** Disconnect was requested ({@code RDMA_CM_DISCONNECT}). */
    DISCONNECTING,
    /** The connection has ended. */
    DISCONNECTED,
    /** Rejected by the peer or by this side. The kernel allows no second attempt on the id. */
    REFUSED,
    /**
     * The peer did not answer, or the queue pair could not be made ready. The kernel allows no second attempt on the
     * id.
     */
    FAILED,
    /** The device was removed ({@code RDMA_CM_DEVICE_REMOVAL}). */
    DEVICE_REMOVED,
    /** Closed ({@code RDMA_CM_DESTROYING}). */
    DESTROYED
}
