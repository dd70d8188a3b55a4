// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cm.PortSpace;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What one side is to do.
 *
 * @param portSpace the port space of all ids
 * @param server where a client connects to; null for a server
 * @param local the address on this side: always of a server, of a client when it was asked for
 * @param connections how many
 * @param messages how many each way over each connection, 0 for none
 * @param size bytes of a message
 * @param typeOfService of a client's connections, or null for the kernel's choice
 * @param patience how long it waits for the other side's next message or answer; null for the usual time
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
    /** A peer that sends nothing for so long will send nothing any more; datagrams may also be lost. */
    private static final Duration WITH_MESSAGES = Duration.ofSeconds(30);

    /** Longer than the kernel needs to find out that nobody answers. */
    private static final Duration WITH_EVENTS = Duration.ofMinutes(2);

    /** How long to wait for a message. */
    Duration patienceWithMessages() {
        return patience == null ? WITH_MESSAGES : patience;
    }

    /** How long to wait for an event of the connection manager. */
    Duration patienceWithEvents() {
        return patience == null ? WITH_EVENTS : patience;
    }
}
