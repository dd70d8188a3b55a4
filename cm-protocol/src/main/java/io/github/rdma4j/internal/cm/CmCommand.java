// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.cm;

/** A command of a CM id that depends on the id's state; {@link CmStateMachine} says on which. */
public enum CmCommand {
    /** {@code rdma_bind_addr(3)}. */
    BIND,
    /** {@code rdma_resolve_addr(3)}. */
    RESOLVE_ADDRESS,
    /** {@code rdma_resolve_route(3)}. */
    RESOLVE_ROUTE,
    /** {@code rdma_listen(3)}. */
    LISTEN,
    /** {@code rdma_create_qp(3)}, for an id that is bound to a device. */
    CREATE_QP,
    /** {@code rdma_connect(3)}. */
    CONNECT,
    /** {@code rdma_accept(3)}. */
    ACCEPT,
    /** {@code rdma_establish(3)}. */
    ESTABLISH,
    /** {@code rdma_reject(3)}. */
    REJECT,
    /** {@code rdma_disconnect(3)}. */
    DISCONNECT,
    /** {@code rdma_accept(3)} of a datagram id, which is established by its own answer: no event follows. */
    ACCEPT_DATAGRAM,
    /** {@code rdma_disconnect(3)} of a datagram id, which sends nothing to the peer. */
    DISCONNECT_DATAGRAM,
    /** {@code RDMA_OPTION_ID_TOS}. */
    SET_TOS,
    /** {@code RDMA_OPTION_ID_REUSEADDR}. */
    SET_REUSE_ADDRESS,
    /** {@code RDMA_OPTION_ID_AFONLY}. */
    SET_AF_ONLY,
    /** {@code RDMA_OPTION_ID_ACK_TIMEOUT}. */
    SET_ACK_TIMEOUT,
    /** {@code RDMA_OPTION_IB_PATH}. */
    SET_IB_PATH,
    /** {@code rdma_notify(3)}. */
    NOTIFY,
    /** {@code rdma_join_multicast(3)}, for an id that is bound to a device. */
    JOIN_MULTICAST,
    /** {@code rdma_migrate_id(3)}. */
    MIGRATE,
    /** {@code rdma_resolve_addrinfo(3)} by subnet administration. */
    RESOLVE_SERVICE,
    /** {@code rdma_write_cm_event(3)}. */
    WRITE_EVENT
}
