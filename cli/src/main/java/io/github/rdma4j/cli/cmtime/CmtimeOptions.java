// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a client is to do.
 *
 * @param server where to connect to
 * @param source the address to bind to, with port 0; null leaves the choice to the kernel and the bind step out
 * @param connections how many
 * @param retries how often a failed resolution is tried again, and the queue pair's retries, 0 to 7
 * @param timeout for one attempt to resolve an address or a route
 * @param patience how long to wait without any event
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

    /** As {@code cmtime(1)} does it unless told otherwise. */
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
