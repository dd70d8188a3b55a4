// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Options of a ping client.
 *
 * @param address of the server
 * @param count number of pings; 0 means no limit
 * @param size size of a ping in bytes
 * @param verbose true to print the data
 * @param patience time limit for each answer of the server; null for no limit
 */
public record PingClientOptions(
        InetSocketAddress address,
        int count,
        int size,
        boolean verbose,
        @Nullable Duration patience) {
    /** Default time limit for an answer. */
    public static final Duration PATIENCE = Duration.ofMinutes(2);

    /** A client with the default time limit that prints nothing. */
    public static PingClientOptions of(InetSocketAddress address, int count, int size) {
        return new PingClientOptions(address, count, size, false, PATIENCE);
    }
}
