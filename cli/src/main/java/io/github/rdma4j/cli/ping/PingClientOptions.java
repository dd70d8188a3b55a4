// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a client is to do.
 *
 * @param address of the server
 * @param count pings; 0 for as many as there is time for
 * @param size bytes of a ping
 * @param verbose to print the data
 * @param patience how long it waits for any one answer of the server; null for as long as the server likes
 */
public record PingClientOptions(
        InetSocketAddress address,
        int count,
        int size,
        boolean verbose,
        @Nullable Duration patience) {
    /** How long a client waits unless something else is asked for. */
    public static final Duration PATIENCE = Duration.ofMinutes(2);

    /** A client with the usual patience that prints nothing. */
    public static PingClientOptions of(InetSocketAddress address, int count, int size) {
        return new PingClientOptions(address, count, size, false, PATIENCE);
    }
}
