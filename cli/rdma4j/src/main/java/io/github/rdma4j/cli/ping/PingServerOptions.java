// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a server is to do, and what it may be made to hold.
 *
 * @param address where it listens
 * @param once to end when the first connection that was established has ended
 * @param verbose to print the data
 * @param connections how many it serves at a time; a further request is refused
 * @param bytes of the pings of all connections together; a connection that wants more is ended
 * @param idle how long a client may send nothing before its connection is ended; null for as long as it likes
 */
public record PingServerOptions(
        InetSocketAddress address,
        boolean once,
        boolean verbose,
        int connections,
        long bytes,
        @Nullable Duration idle) {
    /** Each takes a thread and two descriptors, of which a process usually may have 1,024. */
    public static final int CONNECTIONS = 256;

    /** Bytes of all pings together, unless something else is asked for. */
    public static final long BYTES = 64L << 20;

    /** A client sends as fast as it is answered; this is for those that are stopped, or gone without a word. */
    public static final Duration IDLE = Duration.ofMinutes(5);

    /** A server on {@code address} with the usual limits. */
    public static PingServerOptions on(InetSocketAddress address) {
        return new PingServerOptions(address, false, false, CONNECTIONS, BYTES, IDLE);
    }

    /** The same, and it ends with the first connection. */
    public PingServerOptions endingAfterTheFirst() {
        return new PingServerOptions(address, true, verbose, connections, bytes, idle);
    }
}
