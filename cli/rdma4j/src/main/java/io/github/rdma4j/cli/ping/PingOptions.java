// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import java.net.InetSocketAddress;
import picocli.CommandLine.Option;

/** The options of a client and of a server. Mutable; for one thread. */
public final class PingOptions {
    /** The server's address. */
    InetSocketAddress address = new InetSocketAddress(0);

    @Option(names = "--once", description = "With --server: end after the first connection.")
    boolean once;

    @Option(
            names = {"-C", "--count"},
            paramLabel = "N",
            description = "Number of pings; 0 means no limit (${DEFAULT-VALUE}).")
    int count;

    @Option(
            names = {"-S", "--size"},
            paramLabel = "BYTES",
            description = "Size of a ping, 26 to 1048576 (${DEFAULT-VALUE}).")
    int size = 64;

    @Option(
            names = {"-v", "-d", "--verbose"},
            description = "Print the data and, on a server, the events.")
    boolean verbose;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Time limit of a client for each answer; 0 means no limit (${DEFAULT-VALUE}).")
    int timeout = 120;

    /** Each connection takes a thread and two descriptors, of which a process usually has 1,024. */
    @Option(
            names = "--max-connections",
            paramLabel = "N",
            description = "Connections that a server serves at the same time; it refuses more (${DEFAULT-VALUE}).")
    int connections = 256;

    @Option(
            names = "--max-bytes",
            paramLabel = "BYTES",
            description =
                    "Bytes of memory that a server holds for the pings of all connections; it closes a connection that"
                            + " needs more (${DEFAULT-VALUE}).")
    long bytes = 64L << 20;

    /** An active client sends as soon as it is answered, so the limit affects stopped and vanished clients. */
    @Option(
            names = "--idle",
            paramLabel = "SECONDS",
            description = "Time after which a server closes a connection whose client sends nothing; 0 means no limit"
                    + " (${DEFAULT-VALUE}).")
    int idle = 300;

    /** The options of a client that prints nothing. */
    public static PingOptions of(InetSocketAddress address, int count, int size) {
        PingOptions options = new PingOptions();
        options.address = address;
        options.count = count;
        options.size = size;
        return options;
    }

    /** The options of a server that ends with the first connection. */
    public static PingOptions once(InetSocketAddress address) {
        PingOptions options = new PingOptions();
        options.address = address;
        options.once = true;
        return options;
    }
}
