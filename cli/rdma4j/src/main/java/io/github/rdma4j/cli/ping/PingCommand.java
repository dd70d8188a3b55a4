// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cli.run.Json;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.kernel.RdmaException;
import java.io.PrintWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rdma4j ping}. */
@Command(
        name = "ping",
        description = "Exchange data with a peer by RDMA read and write. Compatible with rping(1).",
        footer = {
            "",
            "When a connection fails, the server closes the connection, prints a line and continues. A server on ADDR"
                    + " ends when the device of ADDR is removed; a server on every address closes the connections of the"
                    + " device and continues. A client ends when its device is removed."
        })
public final class PingCommand extends RdmaCommand {
    /** The default port of rping. */
    private static final int RPING_PORT = 7174;

    private static final int MAX_SECONDS = 1_000_000;

    @Mixin
    private final PingOptions options = new PingOptions();

    @Option(
            names = {"-s", "--server"},
            description = "Run as the server, on ADDR or on every address, until interrupted.")
    private boolean server;

    @Option(names = "-c", description = "Run as the client (the default).")
    private boolean client;

    @Option(
            names = {"-P", "--persistent"},
            description = "With --server: serve one client after the other (the default).")
    private boolean persistent;

    @Parameters(
            arity = "0..1",
            paramLabel = "ADDR",
            description = "IPv4 address, IPv6 address or host name of the server.")
    private @Nullable String address;

    @Option(names = "-a", paramLabel = "ADDR", description = "The address of the server, instead of ADDR.")
    private @Nullable String addressOption;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "Port of the server, 1 to 65535 (${DEFAULT-VALUE}).")
    private int port = RPING_PORT;

    @Option(names = "--json", description = "Print the results as JSON, one object per line.")
    private boolean json;

    @Override
    public Integer call() throws RdmaException, InterruptedException {
        check();
        options.address = Addresses.resolve(address(), port);
        return server ? serve() : ping();
    }

    private void check() {
        requireWithin("--port", port, 1, MAX_PORT);
        requireWithin("--timeout", options.timeout, 0, MAX_SECONDS);
        requireWithin("--idle", options.idle, 0, MAX_SECONDS);
        requireWithin("--max-connections", options.connections, 1, MAX_CONNECTIONS);
        requireWithin("--max-bytes", options.bytes, 1, Long.MAX_VALUE);
        require(!server || !client, "-c (client) and -s (server) exclude each other");
        require(
                address == null || addressOption == null,
                "two addresses were given: " + address + " and -a " + addressOption + "; give one");
        require(server || !options.once, "--once goes with --server only");
        require(server || !persistent, "-P goes with --server only");
        require(!options.once || !persistent, "--once and -P exclude each other");
        require(options.count >= 0, "--count " + options.count + " is negative; it must be 0 or more");
        requireWithin("--size", options.size, PingData.MIN_SIZE, PingData.MAX_SIZE);
        require(
                server || address() != null,
                "the address of the server is missing; give ADDR, or -s to run as the server");
    }

    private @Nullable String address() {
        return address == null ? addressOption : address;
    }

    private int serve() throws RdmaException, InterruptedException {
        // standard output carries only JSON
        PrintWriter lines = json ? err() : out();
        new PingServer(options, lines, this::report).run();
        return 0;
    }

    private int ping() throws RdmaException, InterruptedException {
        PingResult result = new PingClient(options, out()).run();
        long verified = result.count() * options.size;
        if (json) {
            Map<String, Object> fields = result.toMap();
            fields.put("size", options.size);
            fields.put("verified_bytes", verified);
            out().println(Json.text(fields));
        } else {
            out().println(result + ", " + verified + " bytes verified");
        }
        return 0;
    }

    private void report(PingResult served) {
        out().println(json ? Json.text(served.toMap()) : "served " + served);
    }
}
