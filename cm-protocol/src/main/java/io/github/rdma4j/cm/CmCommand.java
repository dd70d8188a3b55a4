// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

/** What a CM id can be told to do, as far as it depends on the id's state. */
public enum CmCommand {
    /** {@code rdma_bind_addr(3)}. */
    BIND,
    /** {@code rdma_resolve_addr(3)}. */
    RESOLVE_ADDRESS,
    /** {@code rdma_resolve_route(3)}. */
    RESOLVE_ROUTE,
    /** {@code rdma_listen(3)}. */
    LISTEN,
    /** {@code rdma_create_qp(3)}; needs a device as well. */
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
    /** {@code rdma_accept(3)} of a datagram id: the answer is all, nothing follows. */
    ANSWER,
    /** {@code rdma_disconnect(3)} of a datagram id, of which the peer hears nothing. */
    LET_GO,
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
    /** {@code rdma_join_multicast(3)}; needs a device as well. */
    JOIN_MULTICAST,
    /** {@code rdma_migrate_id(3)}. */
    MIGRATE,
    /** {@code rdma_resolve_addrinfo(3)} by subnet administration. */
    RESOLVE_SERVICE,
    /** {@code rdma_write_cm_event(3)}. */
    WRITE_EVENT
}
