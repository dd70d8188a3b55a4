// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.cm;

/** A command of a CM id that depends on the id's state; {@link CmStateMachine} defines the states. */
public enum CmCommand {
    /** Binds to a local address ({@code rdma_bind_addr(3)}). */
    BIND,
    /** Resolves an address ({@code rdma_resolve_addr(3)}). */
    RESOLVE_ADDRESS,
    /** Resolves the route ({@code rdma_resolve_route(3)}). */
    RESOLVE_ROUTE,
    /** Starts listening ({@code rdma_listen(3)}). */
    LISTEN,
    /** Creates a queue pair ({@code rdma_create_qp(3)}); the id must be bound to a device. */
    CREATE_QP,
    /** Sends a connect request ({@code rdma_connect(3)}). */
    CONNECT,
    /** Accepts a connect request ({@code rdma_accept(3)}). */
    ACCEPT,
    /** Completes a connection ({@code rdma_establish(3)}). */
    ESTABLISH,
    /** Rejects a connect request ({@code rdma_reject(3)}). */
    REJECT,
    /** Ends a connection ({@code rdma_disconnect(3)}). */
    DISCONNECT,
    /** Accepts on a datagram id, which enters ESTABLISHED without an event ({@code rdma_accept(3)}). */
    ACCEPT_DATAGRAM,
    /** Disconnects a datagram id, without a message to the peer ({@code rdma_disconnect(3)}). */
    DISCONNECT_DATAGRAM,
    /** Sets the option {@code RDMA_OPTION_ID_TOS}. */
    SET_TOS,
    /** Sets the option {@code RDMA_OPTION_ID_REUSEADDR}. */
    SET_REUSE_ADDRESS,
    /** Sets the option {@code RDMA_OPTION_ID_AFONLY}. */
    SET_AF_ONLY,
    /** Sets the option {@code RDMA_OPTION_ID_ACK_TIMEOUT}. */
    SET_ACK_TIMEOUT,
    /** Sets the option {@code RDMA_OPTION_IB_PATH}. */
    SET_IB_PATH,
    /** Reports an asynchronous event of the queue pair ({@code rdma_notify(3)}). */
    NOTIFY,
    /** Joins a multicast group ({@code rdma_join_multicast(3)}); the id must be bound to a device. */
    JOIN_MULTICAST,
    /** Moves the id to another channel ({@code rdma_migrate_id(3)}). */
    MIGRATE,
    /** Looks up a service in subnet administration ({@code rdma_resolve_addrinfo(3)}). */
    RESOLVE_SERVICE,
    /** Queues a USER event ({@code rdma_write_cm_event(3)}). */
    WRITE_EVENT
}
