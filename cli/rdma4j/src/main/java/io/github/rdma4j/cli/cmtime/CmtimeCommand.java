// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
        })
public final class CmtimeCommand extends RdmaCommand {
    /** The maximum of the three-bit field in the connect request. */
    private static final int MAX_RETRIES = 7;

    private static final int FAILURE = 1;

    /** The port of {@code cmtime(1)}. */
    private static final int PORT = 7471;

    @Mixin
    private final CmtimeClient.Options options = new CmtimeClient.Options();

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
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "Port of the server, 1 to 65535 (${DEFAULT-VALUE}).")
    private int port = PORT;

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            description = "Connections that a server serves at the same time; it refuses more (${DEFAULT-VALUE}).")
    private int maxConnections = CmtimeServer.CONNECTIONS;

    @Override
    public Integer call() throws RdmaException, InterruptedException {
        requireWithin("--port", port, 1, MAX_PORT);
        requireWithin("--connections", options.connections, 1, MAX_CONNECTIONS);
        requireWithin("--retries", options.retries, 0, MAX_RETRIES);
        requireWithin("--timeout", options.timeout, 1, Integer.MAX_VALUE);
        requireWithin("-w", options.patience, 1, Integer.MAX_VALUE);
        requireWithin("--max-connections", maxConnections, 1, MAX_CONNECTIONS);
        return server == null ? serve() : connect(Addresses.resolve(server));
    }

    private int serve() throws RdmaException, InterruptedException {
        new CmtimeServer(Addresses.resolve(bind, port), maxConnections, out()).run();
        return 0;
    }

    private int connect(InetAddress peer) throws RdmaException, InterruptedException {
        InetSocketAddress source = bind == null ? null : new InetSocketAddress(Addresses.resolve(bind), 0);
        CmtimeClient client = new CmtimeClient(new InetSocketAddress(peer, port), source, options, out());
        StepTimes times = client.run();
        out().print(times.table());
        out().flush();
        if (client.failures() > 0) {
            err().println("rdma4j: " + client.failures() + " of " + options.connections + " connections failed");
            return FAILURE;
        }
        return 0;
    }
}
