// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import io.github.rdma4j.kernel.RdmaException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code rdma4j cmtime}. */
@Command(
        name = "cmtime",
        description = "Time the steps of making connections, as cmtime(1) does and compatible with it.",
        footer = {"", "Without -s it serves until interrupted."},
        mixinStandardHelpOptions = true)
public final class CmtimeCommand implements Callable<Integer> {
    private static final int MAX_PORT = 65535;

    /** The field of the connect request has three bits. */
    private static final int MAX_RETRIES = 7;

    private static final int MAX_CONNECTIONS = 100_000;
    private static final int FAILURE = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = {"-s", "--server"},
            paramLabel = "ADDR",
            description = "Connect to this server.")
    private @Nullable String server;

    @Option(
            names = {"-b", "--bind"},
            paramLabel = "ADDR",
            description = "The address on this side.")
    private @Nullable String bind;

    @Option(
            names = {"-c", "--connections"},
            paramLabel = "N",
            description = "Connections (${DEFAULT-VALUE}).")
    private int connections = CmtimeOptions.CONNECTIONS;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "Port (${DEFAULT-VALUE}).")
    private int port = CmtimeOptions.PORT;

    @Option(
            names = {"-r", "--retries"},
            paramLabel = "N",
            description = "Retries of a resolution, 0 to 7 (${DEFAULT-VALUE}).")
    private int retries = CmtimeOptions.RETRIES;

    @Option(
            names = {"-t", "--timeout"},
            paramLabel = "MS",
            description = "Time for a resolution, in milliseconds (${DEFAULT-VALUE}).")
    private int timeout = CmtimeOptions.TIMEOUT_MILLIS;

    /** For picocli. */
    public CmtimeCommand() {}

    @Override
    public Integer call() throws RdmaException, InterruptedException {
        requireWithin("--port", port, 1, MAX_PORT);
        requireWithin("--connections", connections, 1, MAX_CONNECTIONS);
        requireWithin("--retries", retries, 0, MAX_RETRIES);
        requireWithin("--timeout", timeout, 1, Integer.MAX_VALUE);
        return server == null ? serve() : connect(resolve(server));
    }

    private int serve() throws RdmaException, InterruptedException {
        InetSocketAddress local =
                bind == null ? new InetSocketAddress(port) : new InetSocketAddress(resolve(bind), port);
        new CmtimeServer(local, System.out).run();
        return 0;
    }

    private int connect(InetAddress peer) throws RdmaException, InterruptedException {
        InetSocketAddress source = bind == null ? null : new InetSocketAddress(resolve(bind), 0);
        CmtimeOptions options = new CmtimeOptions(
                new InetSocketAddress(peer, port), source, connections, retries, Duration.ofMillis(timeout));
        CmtimeClient client = new CmtimeClient(options, System.out);
        StepTimes times = client.run();
        System.out.print(times.table());
        System.out.flush();
        if (client.failures() > 0) {
            spec.commandLine()
                    .getErr()
                    .println("rdma4j: " + client.failures() + " of " + connections + " connections failed");
            return FAILURE;
        }
        return 0;
    }

    private InetAddress resolve(String name) {
        try {
            return InetAddress.getByName(name);
        } catch (UnknownHostException e) {
            throw new ParameterException(spec.commandLine(), "no address for " + name, e);
        }
    }

    private void requireWithin(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), option + " " + value + " is not from " + least + " to " + most);
        }
    }
}
