// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cli.run.Json;
import io.github.rdma4j.kernel.RdmaException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code rdma4j perf}. */
@Command(
        name = "perf",
        description =
                "Measure latency or bandwidth. Compatible with the programs of perftest(1) with -R, on either side.",
        footer = {
            "",
            "Without ADDR the program is the server, serves one client, and ends. Program, -c, -s, -a, -n, -D, -q and -b must be"
                    + " the same on both sides. On the side of C add -R: ib_send_lat -R -s 64 ADDR."
        },
        mixinStandardHelpOptions = true)
public final class PerfCommand implements Callable<Integer> {
    private static final int MAX_PORT = 65535;
    private static final int MAX_SECONDS = 1_000_000;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "PROGRAM",
            description = "send_lat, send_bw, write_lat, write_bw, read_lat, read_bw, atomic_lat or atomic_bw.",
            converter = ProgramName.class)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private PerfProgram program;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "ADDR",
            description = "IPv4 address, IPv6 address or host name of the server.")
    private @Nullable String server;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "Port of the server, 1 to 65535 (${DEFAULT-VALUE}).")
    private int port = PerfOptions.PORT;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            description =
                    "Size of a message, 1 to 536870912 (2 for latency, 65536 for bandwidth; 8 for atomic operations).")
    private @Nullable Integer size;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            description = "Number of messages, 5 to 100000000 (1000; 5000 for write_bw).")
    private @Nullable Integer iterations;

    @Option(
            names = {"-t", "--tx-depth"},
            paramLabel = "N",
            description = "Messages of a bandwidth program that are under way at a time, 1 to 15000 (128).")
    private @Nullable Integer depth;

    @Option(
            names = {"-I", "--inline_size"},
            paramLabel = "BYTES",
            description = "Messages up to this size are part of the work request, 0 to 912 (236 for send_lat, 220 for"
                    + " write_lat, otherwise 0).")
    private @Nullable Integer inline;

    @Mixin
    private final TrafficOptions traffic = new TrafficOptions();

    @Option(
            names = {"-e", "--events"},
            description = "Sleep until a completion comes, instead of polling.")
    private boolean events;

    @Option(
            names = "--source_ip",
            paramLabel = "ADDR",
            description = "Local address of a client; where a server listens.")
    private @Nullable String source;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description = "Iterations that this process runs with itself before it meets the peer, so that its code is"
                    + " compiled: 0 or 5 to 100000000 (${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description =
                    "Longest wait for the next step of the peer, 1 to 1000000 (60; without a limit for the end of a"
                            + " measurement that only the peer makes).")
    private @Nullable Integer timeout;

    @Option(names = "--json", description = "Print the result as a JSON object.")
    private boolean json;

    @Option(
            names = {"-R", "--rdma_cm", "-F"},
            description =
                    "Accepted, so that a command line of perftest can stay as it is: connections are always made by the"
                            + " connection manager (-R), and the clock needs no processor of a fixed frequency (-F).")
    @SuppressWarnings("UnusedVariable") // picocli sets it
    private boolean[] accepted = {};

    /** For picocli. */
    public PerfCommand() {}

    @Override
    public Integer call() throws RdmaException, InterruptedException {
        PerfOptions options = options();
        List<PerfResult> results = PerfRun.run(options, json ? new PerfObserver() {} : new Narrator());
        if (json) {
            List<Map<String, Object>> maps = results.stream()
                    .map(result -> PerfReport.map(result, options.isClient()))
                    .toList();
            print(Json.text(options.isAllSizes() ? maps : maps.get(0)));
        }
        return 0;
    }

    private PerfOptions options() throws RdmaException {
        require("--port", port, 1, MAX_PORT);
        try {
            PerfOptions options = traffic.apply(
                    numbers(PerfOptions.of(program)).events(events).warmUp(warmUp));
            PerfRules.check(options);
            if (server != null) {
                options.server(new InetSocketAddress(Addresses.resolve(server), port));
            }
            InetSocketAddress any = new InetSocketAddress(server == null ? port : 0);
            return options.local(
                    source == null ? any : new InetSocketAddress(Addresses.resolve(source), any.getPort()));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private PerfOptions numbers(PerfOptions options) {
        if (size != null) {
            options.size(size);
        }
        if (iterations != null) {
            options.iterations(iterations);
        }
        if (depth != null) {
            options.depth(depth);
        }
        if (inline != null) {
            options.inline(inline);
        }
        if (timeout != null) {
            require("--timeout", timeout, 1, MAX_SECONDS);
            options.limit(Duration.ofSeconds(timeout));
        }
        return options;
    }

    private void require(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), option + " " + value + " is not from " + least + " to " + most);
        }
    }

    /** Prints how far the run is. */
    private final class Narrator implements PerfObserver {
        private boolean headed;

        @Override
        public void listening(InetSocketAddress address) {
            print(program + ": waiting for a client on port " + address.getPort());
        }

        @Override
        public void measured(PerfResult result) {
            if (!headed) {
                PerfReport.head(result).ifPresent(PerfCommand.this::print);
                headed = true;
            }
            PerfReport.line(result).ifPresent(PerfCommand.this::print);
        }

        @Override
        public void measuring(PeerEntry mine, PeerEntry peer) {
            print(" local address: " + mine);
            print(" remote address: " + peer);
        }
    }

    private void print(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }

    /** Picocli calls it for the first parameter. */
    static final class ProgramName implements ITypeConverter<PerfProgram> {
        @Override
        public PerfProgram convert(String value) {
            try {
                return PerfProgram.of(value);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
