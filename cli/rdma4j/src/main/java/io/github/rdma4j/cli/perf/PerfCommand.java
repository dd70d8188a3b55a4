// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cli.run.Json;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rdma4j perf}. */
@Command(
        name = "perf",
        description =
                "Measure latency or bandwidth. Compatible with the programs of perftest(1) with -R, on either side.",
        footer = {
            "",
            "Without ADDR the program is the server, serves one client, and ends. Program, -c, -s, -a, -n, -D, -q and"
                    + " -b must be the same on both sides. On the side of C add -R: ib_send_lat -R -s 64 ADDR."
        })
public final class PerfCommand extends RdmaCommand {
    @Mixin
    private final PerfOptions options = PerfOptions.of(PerfProgram.SEND_LAT);

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
            names = "--source_ip",
            paramLabel = "ADDR",
            description = "Local address of a client; where a server listens.")
    private @Nullable String source;

    @Option(names = "--json", description = "Print the result as a JSON object.")
    private boolean json;

    @Option(
            names = {"-R", "--rdma_cm", "-F"},
            description =
                    "Accepted, so that a command line of perftest can stay as it is: connections are always made by the"
                            + " connection manager (-R), and the clock needs no processor of a fixed frequency (-F).")
    @SuppressWarnings("UnusedVariable") // set by picocli
    private boolean[] accepted = {};

    @Override
    public Integer call() throws RdmaException, InterruptedException {
        resolve();
        List<PerfResult> results = PerfRun.run(options, json ? new PerfRun.Observer() {} : new Narrator());
        if (json) {
            List<Map<String, Object>> maps =
                    results.stream().map(result -> result.map(options)).toList();
            out().println(Json.text(options.allSizes ? maps : maps.get(0)));
        }
        return 0;
    }

    /** Checks the options and looks up the host names. */
    private void resolve() throws RdmaException {
        requireWithin("--port", port, 1, MAX_PORT);
        try {
            options.check();
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
        if (server != null) {
            options.server(new InetSocketAddress(Addresses.resolve(server), port));
        }
        options.local(Addresses.resolve(source, server == null ? port : 0));
    }

    private final class Narrator implements PerfRun.Observer {
        private boolean headed;

        @Override
        public void listening(InetSocketAddress address) {
            out().println(options.program() + ": waiting for a client on port " + address.getPort());
        }

        @Override
        public void measured(PerfResult result) {
            if (!headed) {
                result.head(options.gigabits).ifPresent(out()::println);
                headed = true;
            }
            result.line().ifPresent(out()::println);
        }

        @Override
        public void measuring(PeerEntry mine, PeerEntry peer) {
            out().println(" local address: " + mine);
            out().println(" remote address: " + peer);
        }
    }
}
