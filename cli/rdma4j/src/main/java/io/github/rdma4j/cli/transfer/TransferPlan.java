// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cm.PortSpace;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a client or a server.
 *
 * @param portSpace the port space of all ids
 * @param server the address that a client connects to; null for a server
 * @param local the local address; null if a client leaves the choice to the kernel
 * @param connections number of connections
 * @param messages number of messages in each direction over each connection, or 0
 * @param size size of a message in bytes
 * @param typeOfService type of service of a client's connections; null for the choice of the kernel
 * @param patience time limit for the next message or answer of the peer; null for the default
 */
public record TransferPlan(
        PortSpace portSpace,
        @Nullable SocketAddress server,
        @Nullable SocketAddress local,
        int connections,
        int messages,
        int size,
        @Nullable Integer typeOfService,
        @Nullable Duration patience) {
    /** A peer that is silent for longer sends nothing more; datagrams may also be lost. */
    private static final Duration WITH_MESSAGES = Duration.ofSeconds(30);

    /** Longer than the kernel needs to detect that no peer answers. */
    private static final Duration WITH_EVENTS = Duration.ofMinutes(2);

    /** Time limit for a message. */
    Duration patienceWithMessages() {
        return patience == null ? WITH_MESSAGES : patience;
    }

    /** Time limit for an event of the connection manager. */
    Duration patienceWithEvents() {
        return patience == null ? WITH_EVENTS : patience;
    }
}
