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

    /** The name of the transport; whatever goes over TCP has a reason. */
    static String transport(String reason) {
        return reason.isEmpty() ? "RDMA" : "TCP";
    }

    /** An address in numbers and its port, for people. */
    static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
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
