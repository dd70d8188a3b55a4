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
    DISCONNECT
}
