// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench;

import io.github.rdma4j.bench.suite.SuiteOptions;
import io.github.rdma4j.bench.suite.SuiteRun;
import io.github.rdma4j.cli.run.Json;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.testbed.image.CacheDirectory;
import io.github.rdma4j.testbed.image.UmlKernel;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code rdma4j bench}: the suite, and the start of guests. */
@Command(
        name = "rdma4j bench",
        description = "Compare Java with the C tools, in the same guest and the same run.",
        footer = {
            "",
            "The whole suite takes about 20 minutes. Other benchmarks run without a guest:",
            "  bench cost  user space: posting, polling and commands, beside the C libraries",
            "  bench NAME  a provider on rings in memory, beside its C library: mlx5, mlx4,",
            "              erdma, irdma, irdma_gen3 or bnxt_re; takes no options"
        },
        mixinStandardHelpOptions = true,
        subcommands = BenchCommand.Guests.class,
        synopsisSubcommandLabel = "[testbed]")
public final class BenchCommand implements Callable<Integer> {
    @Mixin
    private SuiteOptions options = new SuiteOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** For picocli. */
    public BenchCommand() {}

    @Override
    public Integer call() throws RdmaException, InterruptedException {
        return SuiteRun.run(options, spec);
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
            PrintWriter text = json ? new PrintWriter(Writer.nullWriter()) : out;
            TestbedBench bench = new TestbedBench(kinds, starts, sideBySide, text);
            Map<String, Object> findings = bench.run();
            if (json) {
                out.println(Json.text(findings));
                out.flush();
            }
            return Math.min(1, bench.failed());
        }
    }
}
