// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cli.run.Json;
import io.github.rdma4j.kernel.RdmaException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rdma4j ping}. */
@Command(
        name = "ping",
        description = "Exchange data with a peer by RDMA read and write, as rping(1) does and compatible with it.",
        footer = {
            "",
            "What a client does, or what one connection cannot get, ends that connection with a line; the server goes on."
                    + " A server on ADDR ends when the device of ADDR is removed, a server on every address lets go of the"
                    + " device and goes on. A client ends when its device is removed."
        },
        mixinStandardHelpOptions = true)
public final class PingCommand implements Callable<Integer> {
    /** The port that rping listens on. */
    private static final int RPING_PORT = 7174;

    private static final int MAX_PORT = 65535;
    private static final int MAX_CONNECTIONS = 100_000;
    private static final int MAX_SECONDS = 1_000_000;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = {"-s", "--server"},
            description = "Serve until interrupted, on ADDR or on every address.")
    private boolean server;

    @Option(names = "-c", description = "Be the client, which is the default.")
    private boolean client;

    @Option(names = "--once", description = "With --server: end after the first connection.")
    private boolean once;

    @Option(
            names = {"-P", "--persistent"},
            description = "With --server: serve one client after the other, which is the default.")
    private boolean persistent;

    @Parameters(arity = "0..1", paramLabel = "ADDR", description = "IPv4 or IPv6 address, or name, of the server.")
    private @Nullable String address;

    @Option(names = "-a", paramLabel = "ADDR", description = "The same.")
    private @Nullable String addressOption;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "Port (${DEFAULT-VALUE}).")
    private int port = RPING_PORT;

    @Option(
            names = {"-C", "--count"},
            paramLabel = "N",
            description = "Pings; 0, the default, for ever.")
    private int count;

    @Option(
            names = {"-S", "--size"},
            paramLabel = "BYTES",
            description = "Bytes of a ping (${DEFAULT-VALUE}).")
    private int size = 64;

    @Option(
            names = {"-v", "-d", "--verbose"},
            description = "Print the data, and a server's events.")
    private boolean verbose;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "How long a client waits for an answer (${DEFAULT-VALUE}); 0 for as long as it takes.")
    private int timeout = (int) PingClientOptions.PATIENCE.toSeconds();

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            description = "Connections that a server serves at a time; further ones are refused (${DEFAULT-VALUE}).")
    private int connections = PingServerOptions.CONNECTIONS;

    @Option(
            names = "--max-bytes",
            paramLabel = "BYTES",
            description = "Bytes of the pings that a server holds for all connections together; a connection that wants"
                    + " more is ended (${DEFAULT-VALUE}).")
    private long bytes = PingServerOptions.BYTES;

    @Option(
            names = "--idle",
            paramLabel = "SECONDS",
            description = "How long a client may send nothing before a server ends its connection (${DEFAULT-VALUE}); 0"
                    + " for as long as it likes.")
    private int idle = (int) PingServerOptions.IDLE.toSeconds();

    @Option(names = "--json", description = "Print results as JSON, one object a line.")
    private boolean json;

    /** For picocli. */
    public PingCommand() {}

    @Override
    public Integer call() throws RdmaException, InterruptedException {
        check();
        return server ? serve() : ping();
    }

    private void check() {
        requireWithin("--port", port, 1, MAX_PORT);
        requireWithin("--timeout", timeout, 0, MAX_SECONDS);
        requireWithin("--idle", idle, 0, MAX_SECONDS);
        requireWithin("--max-connections", connections, 1, MAX_CONNECTIONS);
        requireWithin("--max-bytes", bytes, 1, Long.MAX_VALUE);
        require(!server || !client, "-c, the client, and -s, the server, exclude each other");
        require(
                address == null || addressOption == null,
                "there are two addresses: " + address + " and -a " + addressOption);
        require(server || !once, "--once goes with --server");
        require(server || !persistent, "-P goes with --server");
        require(!once || !persistent, "--once and -P exclude each other");
        require(count >= 0, "--count " + count + " is negative");
        requireWithin("--size", size, PingData.MIN_SIZE, PingData.MAX_SIZE);
        require(server || address() != null, "the address of the server is missing");
    }

    private @Nullable String address() {
        return address == null ? addressOption : address;
    }

    private InetSocketAddress socketAddress() throws RdmaException {
        String name = address();
        return name == null ? new InetSocketAddress(port) : new InetSocketAddress(Addresses.resolve(name), port);
    }

    private int serve() throws RdmaException, InterruptedException {
        PingServerOptions options =
                new PingServerOptions(socketAddress(), once, verbose, connections, bytes, limit(idle));
        // The standard output is then all JSON.
        PrintWriter lines = json ? spec.commandLine().getErr() : out();
        new PingServer(options, lines, this::report).run();
        return 0;
    }

    private int ping() throws RdmaException, InterruptedException {
        PingClientOptions options = new PingClientOptions(socketAddress(), count, size, verbose, limit(timeout));
        PingResult result = new PingClient(options, out()).run();
        long verified = result.count() * size;
        if (json) {
            Map<String, Object> fields = result.toMap();
            fields.put("size", size);
            fields.put("verified_bytes", verified);
            print(Json.text(fields));
        } else {
            print(result + ", " + verified + " bytes verified");
        }
        return 0;
    }

    private static @Nullable Duration limit(int seconds) {
        return seconds == 0 ? null : Duration.ofSeconds(seconds);
    }

    private void report(PingResult served) {
        print(json ? Json.text(served.toMap()) : "served " + served);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private void print(String line) {
        out().println(line);
        out().flush();
    }

    private void requireWithin(String option, long value, long least, long most) {
        require(value >= least && value <= most, option + " " + value + " is not from " + least + " to " + most);
    }

    private void require(boolean condition, String message) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }
}
