// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cm.PortSpace;
import java.net.SocketAddress;
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
 */
public record TransferPlan(
        PortSpace portSpace,
        @Nullable SocketAddress server,
        @Nullable SocketAddress local,
        int connections,
        int messages,
        int size,
        @Nullable Integer typeOfService) {}
