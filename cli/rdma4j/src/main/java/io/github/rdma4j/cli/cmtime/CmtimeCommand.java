// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rdma4j cmtime}. */
@Command(
        name = "cmtime",
        description = "Measure the time of each step of making connections. Compatible with cmtime(1).",
        footer = {
            "",
            "Without -s the program is the server and runs until interrupted. When a connection fails, the server"
                    + " closes the connection, prints a line and continues. A server on -b ADDR ends when the device of"
                    + " ADDR is removed; a server on every address closes the connections of the device and continues. A"
                    + " client fails when its device is removed."
        },
        mixinStandardHelpOptions = true)
public final class CmtimeCommand extends RdmaCommand {
    /** The maximum of the three-bit field in the connect request. */
    private static final int MAX_RETRIES = 7;

    private static final int FAILURE = 1;

    @Option(
            names = {"-s", "--server"},
            paramLabel = "ADDR",
            description = "Run as the client, and connect to this server.")
    private @Nullable String server;

    @Option(
            names = {"-b", "--bind"},
            paramLabel = "ADDR",
            description = "Local address.")
    private @Nullable String bind;

    @Option(
            names = {"-c", "--connections"},
            paramLabel = "N",
            description = "Number of connections, 1 to 100000 (${DEFAULT-VALUE}).")
    private int connections = CmtimeClient.Options.CONNECTIONS;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "Port of the server, 1 to 65535 (${DEFAULT-VALUE}).")
    private int port = CmtimeClient.Options.PORT;

    @Option(
            names = {"-r", "--retries"},
            paramLabel = "N",
            description = "Retries of a resolution and of the queue pair, 0 to 7 (${DEFAULT-VALUE}).")
    private int retries = CmtimeClient.Options.RETRIES;

    @Option(
            names = {"-t", "--timeout"},
            paramLabel = "MS",
            description = "Time limit of a resolution, in milliseconds (${DEFAULT-VALUE}).")
    private int timeout = CmtimeClient.Options.TIMEOUT_MILLIS;

    @Option(
            names = "-w",
            paramLabel = "SECONDS",
            description = "Time without an event of any connection after which a client gives up (${DEFAULT-VALUE}).")
    private int patience = CmtimeClient.Options.PATIENCE_SECONDS;

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            description = "Connections that a server serves at the same time; it refuses more (${DEFAULT-VALUE}).")
    private int maxConnections = CmtimeServer.CONNECTIONS;

    @Override
    public Integer call() throws RdmaException, InterruptedException {
        requireWithin("--port", port, 1, MAX_PORT);
        requireWithin("--connections", connections, 1, MAX_CONNECTIONS);
        requireWithin("--retries", retries, 0, MAX_RETRIES);
        requireWithin("--timeout", timeout, 1, Integer.MAX_VALUE);
        requireWithin("-w", patience, 1, Integer.MAX_VALUE);
        requireWithin("--max-connections", maxConnections, 1, MAX_CONNECTIONS);
        return server == null ? serve() : connect(Addresses.resolve(server));
    }

    private int serve() throws RdmaException, InterruptedException {
        new CmtimeServer(Addresses.resolve(bind, port), maxConnections, out()).run();
        return 0;
    }

    private int connect(InetAddress peer) throws RdmaException, InterruptedException {
        InetSocketAddress source = bind == null ? null : new InetSocketAddress(Addresses.resolve(bind), 0);
        CmtimeClient.Options options = new CmtimeClient.Options(
                new InetSocketAddress(peer, port),
                source,
                connections,
                retries,
                Duration.ofMillis(timeout),
                Duration.ofSeconds(patience));
        CmtimeClient client = new CmtimeClient(options, out());
        StepTimes times = client.run();
        out().print(times.table());
        out().flush();
        if (client.failures() > 0) {
            err().println("rdma4j: " + client.failures() + " of " + connections + " connections failed");
            return FAILURE;
        }
        return 0;
    }
}
