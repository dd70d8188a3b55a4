// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.bench;

import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.Json;
import io.github.rdma4j.cli.run.RdmaAddress;
import io.github.rdma4j.cli.suite.SuiteOptions;
import io.github.rdma4j.cli.suite.SuiteRun;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.testbed.image.CacheDirectory;
import io.github.rdma4j.testbed.image.UmlKernel;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rdma4j bench}. */
@Command(
        name = "bench",
        description = "Compare Java with the C tools, in the same guest and the same run; measure the start of guests.",
        footer = {
            "",
            "Without a subcommand the whole suite runs, which takes about 20 minutes."
                    + " See also: bench cost, bench micro and bench mlx5 of ./rdma4j --help."
        },
        mixinStandardHelpOptions = true,
        subcommands = {
            BenchCommand.All.class,
            BenchCommand.Ping.class,
            BenchCommand.Cm.class,
            BenchCommand.Guests.class,
            BenchCommand.Responder.class
        },
        synopsisSubcommandLabel = "[all|ping|cm|testbed]")
public final class BenchCommand implements Callable<Integer> {
    @Mixin
    private SuiteOptions options = new SuiteOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** For picocli. */
    public BenchCommand() {}

    private static List<String> arguments(boolean json, String... others) {
        List<String> arguments = new ArrayList<>(List.of(others));
        if (json) {
            arguments.add("--json");
        }
        return arguments;
    }

    private static PrintWriter text(boolean json, PrintWriter out) {
        return json ? new PrintWriter(Writer.nullWriter()) : out;
    }

    private static int report(boolean json, PrintWriter out, Map<String, Object> findings) {
        if (json) {
            out.println(Json.text(findings));
            out.flush();
        }
        return 0;
    }

    @Override
    public Integer call() throws RdmaException, InterruptedException {
        return SuiteRun.run(options, spec);
    }

    /** {@code rdma4j bench all}. */
    @Command(
            name = "all",
            description = "Run the whole suite, which takes about 20 minutes; so does bench without a subcommand.",
            mixinStandardHelpOptions = true)
    static final class All implements Callable<Integer> {
        @Mixin
        private SuiteOptions options = new SuiteOptions();

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        @Override
        public Integer call() throws RdmaException, InterruptedException {
            return SuiteRun.run(options, spec);
        }
    }

    /** {@code rdma4j bench ping}. */
    @Command(
            name = "ping",
            description =
                    "Measure the latency of 64-byte messages against ib_send_lat: the median of half a round trip.",
            mixinStandardHelpOptions = true)
    static final class Ping implements Callable<Integer> {
        private static final int LIMIT_SECONDS = 600;

        @Option(
                names = "--on",
                paramLabel = "uml|vm|host",
                description = "Run in a guest (vm, or uml), or on the device of this machine (host).")
        private String where = "vm";

        @Option(names = "--json", description = "Print only the results, as a JSON object.")
        private boolean json;

        @Option(names = "--inside", hidden = true)
        private boolean inside;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        @Override
        public Integer call() throws RdmaException, InterruptedException {
            if (!inside) {
                return GuestRun.run(
                        where, LIMIT_SECONDS, GuestRun.OPTIMIZED, arguments(json, "bench", "ping", "--inside"));
            }
            PrintWriter out = spec.commandLine().getOut();
            return report(json, out, new PingBench(RdmaAddress.first(), text(json, out)).run());
        }
    }

    /** {@code rdma4j bench cm}. */
    @Command(
            name = "cm",
            description = "Measure connections per second and the time of each step against cmtime.",
            mixinStandardHelpOptions = true)
    static final class Cm implements Callable<Integer> {
        private static final int LIMIT_SECONDS = 900;

        @Option(
                names = "--on",
                paramLabel = "uml|vm|host",
                description = "Run in a guest (vm, or uml), or on the device of this machine (host).")
        private String where = "vm";

        @Option(
                names = {"-c", "--connections"},
                paramLabel = "N",
                description = "Number of connections per round (${DEFAULT-VALUE}).")
        private int connections = 1000;

        @Option(names = "--json", description = "Print only the results, as a JSON object.")
        private boolean json;

        @Option(names = "--inside", hidden = true)
        private boolean inside;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        @Override
        public Integer call() throws RdmaException, InterruptedException {
            if (!inside) {
                String count = String.valueOf(connections);
                return GuestRun.run(
                        where,
                        LIMIT_SECONDS,
                        GuestRun.SHORT_LIVED,
                        arguments(json, "bench", "cm", "--inside", "-c", count));
            }
            PrintWriter out = spec.commandLine().getOut();
            return report(json, out, new CmBench(RdmaAddress.first(), connections, text(json, out)).run());
        }
    }

    /** {@code rdma4j bench testbed}. */
    @Command(
            name = "testbed",
            description =
                    "Measure what each stage of the start and the end of a guest takes, for both kinds of guests.",
            mixinStandardHelpOptions = true)
    static final class Guests implements Callable<Integer> {
        @Option(
                names = "--on",
                paramLabel = "uml|vm",
                description =
                        "The kind of guest; may be repeated. By default User Mode Linux, if its kernel is in the cache, and QEMU.")
        private List<String> kinds = new ArrayList<>();

        @Option(
                names = {"-n", "--starts"},
                paramLabel = "N",
                description = "Number of guests of each kind (${DEFAULT-VALUE}).")
        private int starts = 5;

        @Option(
                names = "--side-by-side",
                paramLabel = "N",
                description = "Number of guests that run at the same time (${DEFAULT-VALUE}).")
        private int sideBySide = 1;

        @Option(names = "--json", description = "Print only the results, as a JSON object.")
        private boolean json;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        @Override
        public Integer call() throws RdmaException, InterruptedException {
            if (starts < 1 || sideBySide < 1 || !List.of("uml", "vm").containsAll(kinds)) {
                throw new ParameterException(
                        spec.commandLine(), "--starts and --side-by-side are at least 1, and --on is uml or vm");
            }
            if (kinds.isEmpty()) {
                kinds = UmlKernel.isIn(CacheDirectory.of(System.getenv())) ? List.of("uml", "vm") : List.of("vm");
            }
            PrintWriter out = spec.commandLine().getOut();
            TestbedBench bench = new TestbedBench(kinds, starts, sideBySide, text(json, out));
            return report(json, out, bench.run()) + Math.min(1, bench.failed());
        }
    }

    /** The other end of the Java measurement, in a process of its own as the C tool has it. */
    @Command(name = "responder", hidden = true)
    static final class Responder implements Callable<Integer> {
        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        @Parameters(index = "0")
        private @Nullable String address;

        @Parameters(index = "1")
        private int port;

        @Override
        public Integer call() throws RdmaException, InterruptedException, UnknownHostException {
            PingPong.respond(
                    new InetSocketAddress(InetAddress.getByName(address), port),
                    spec.commandLine().getOut());
            return 0;
        }
    }
}
