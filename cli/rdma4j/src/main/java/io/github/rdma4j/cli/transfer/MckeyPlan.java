// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.PortSpace;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a run.
 *
 * @param portSpace the port space of all ids
 * @param groups the groups to join: IP addresses, or GIDs, which need a local address
 * @param local the local address; null to choose it by the route to the group
 * @param sends true for the sender
 * @param mode the mode in which the ids join
 * @param loopback true if receivers on the same device get what an id sends
 * @param connections ids for each group
 * @param messages number of messages that each id sends or waits for
 * @param size the size of a message in bytes
 * @param settle time of a sender between its joins and its first message
 * @param patience time limit of a receiver for each message after the first; messages missing then count as lost
 * @param firstPatience time limit of a receiver for the first message; null for no limit
 */
record MckeyPlan(
        PortSpace portSpace,
        List<SocketAddress> groups,
        @Nullable InetSocketAddress local,
        boolean sends,
        GroupMembership.Mode mode,
        boolean loopback,
        int connections,
        int messages,
        int size,
        Duration settle,
        Duration patience,
        @Nullable Duration firstPatience) {
    /** The size of all messages of an id in bytes. */
    int bytes() {
        return messages * size;
    }
}
