// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Options of a cmtime client.
 *
 * @param server address of the server
 * @param source local address, with port 0; with null the kernel chooses the address and the bind step is left out
 * @param connections number of connections
 * @param retries retries of a failed resolution, and of the queue pair, 0 to 7
 * @param timeout time limit of one attempt to resolve an address or a route
 * @param patience time without any event after which the client gives up
 */
public record CmtimeOptions(
        InetSocketAddress server,
        @Nullable InetSocketAddress source,
        int connections,
        int retries,
        Duration timeout,
        Duration patience) {
    /** The port of {@code cmtime(1)}. */
    public static final int PORT = 7471;

    /** The connections of {@code cmtime(1)}. */
    public static final int CONNECTIONS = 100;

    /** The retries of {@code cmtime(1)}. */
    public static final int RETRIES = 2;

    /** The timeout of {@code cmtime(1)}, in milliseconds. */
    public static final int TIMEOUT_MILLIS = 2000;

    /** Longer than the kernel needs to find out that nobody answers, in seconds. */
    public static final int PATIENCE_SECONDS = 120;

    /** The defaults of {@code cmtime(1)}. */
    public static CmtimeOptions of(InetSocketAddress server, @Nullable InetSocketAddress source, int connections) {
        return new CmtimeOptions(
                server,
                source,
                connections,
                RETRIES,
                Duration.ofMillis(TIMEOUT_MILLIS),
                Duration.ofSeconds(PATIENCE_SECONDS));
    }
}
