// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench;

import io.github.rdma4j.bench.cost.CostBench;
import io.github.rdma4j.bench.cost.ProviderBench;
import io.github.rdma4j.bench.suite.SuiteOptions;
import io.github.rdma4j.bench.suite.SuiteRun;
import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cli.run.StandardOutput;
import io.github.rdma4j.cli.run.WrongUsage;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./rdma4j bench}: the first word names a benchmark that needs no guest; without such a word the suite runs. */
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
        mixinStandardHelpOptions = true)
public final class BenchMain implements Callable<Integer> {
    private static final int FAILURE = 1;

    @Mixin
    private SuiteOptions options = new SuiteOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private BenchMain() {}

    /** Runs the benchmark that {@code arguments} name. */
    public static void main(String[] arguments) throws Exception {
        String first = arguments.length == 0 ? "" : arguments[0];
        String[] others = Arrays.copyOfRange(arguments, Math.min(1, arguments.length), arguments.length);
        if (ProviderBench.names().contains(first)) {
            ProviderBench.of(first, others);
            return;
        }
        if (first.equals("cost")) {
            CostBench.main(others);
            return;
        }
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new BenchMain())
                .setOut(new StandardOutput(System.out))
                .setParameterExceptionHandler(new WrongUsage())
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    command.getErr().println("rdma4j: " + Failures.text(e));
                    return FAILURE;
                });
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        return SuiteRun.run(options, spec);
    }
}
