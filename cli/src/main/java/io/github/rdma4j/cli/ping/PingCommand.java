// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import io.github.rdma4j.kernel.RdmaException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
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
        mixinStandardHelpOptions = true)
public final class PingCommand implements Callable<Integer> {
    /** The port that rping listens on. */
    private static final int RPING_PORT = 7174;

    private static final int MAX_PORT = 65535;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--server", description = "Serve until interrupted, on ADDR or on every address.")
    private boolean server;

    @Option(names = "--once", description = "With --server: end after the first connection.")
    private boolean once;

    @Parameters(arity = "0..1", paramLabel = "ADDR", description = "IPv4 or IPv6 address, or name, of the server.")
    private @Nullable String address;

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
            names = {"-v", "--verbose"},
            description = "Print the data.")
    private boolean verbose;

    /** For picocli. */
    public PingCommand() {}

    @Override
    public Integer call() throws RdmaException, InterruptedException {
        require(port > 0 && port <= MAX_PORT, "--port " + port + " is not from 1 to " + MAX_PORT);
        if (server) {
            InetSocketAddress local =
                    address == null ? new InetSocketAddress(port) : new InetSocketAddress(resolve(address), port);
            new PingServer(local, once, verbose, System.out, PingCommand::report).run();
            return 0;
        }
        require(!once, "--once goes with --server");
        require(count >= 0, "--count " + count + " is negative");
        require(
                size >= PingData.MIN_SIZE && size <= PingData.MAX_SIZE,
                "--size " + size + " is not from " + PingData.MIN_SIZE + " to " + PingData.MAX_SIZE);
        if (address == null) {
            throw new ParameterException(spec.commandLine(), "the address of the server is missing");
        }
        InetSocketAddress peer = new InetSocketAddress(resolve(address), port);
        PingResult result = new PingClient(peer, count, size, verbose, System.out).run();
        System.out.println(result + ", " + (long) result.count() * size + " bytes verified");
        return 0;
    }

    private static void report(PingResult served) {
        System.out.println("served " + served);
    }

    private InetAddress resolve(String name) {
        try {
            return InetAddress.getByName(name);
        } catch (UnknownHostException e) {
            throw new ParameterException(spec.commandLine(), "no address for " + name, e);
        }
    }

    private void require(boolean condition, String message) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }
}
