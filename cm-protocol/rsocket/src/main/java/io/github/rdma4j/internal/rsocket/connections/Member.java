// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.connections;

import java.net.InetSocketAddress;

/** A connection. */
public interface Member {
    /** What it has carried. */
    Traffic traffic();

    /** Why it goes over TCP; empty over RDMA. */
    String reason();

    /** What else there is to know of it. May take a lock of the connection for a moment. */
    Facts facts();

    /** True if it goes over RDMA. */
    default boolean isOverRdma() {
        return reason().isEmpty();
    }

    /**
     * What a connection tells of itself.
     *
     * @param wire the protocol over RDMA
     * @param device the RDMA device
     * @param state whether it is open
     * @param details for people
     */
    record Facts(
            String wire,
            String device,
            InetSocketAddress local,
            InetSocketAddress peer,
            String state,
            String details) {}
}
