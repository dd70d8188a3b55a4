// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench;

import io.github.rdma4j.bench.cost.CostBench;
import io.github.rdma4j.bench.cost.ProviderBench;
import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cli.run.StandardOutput;
import io.github.rdma4j.cli.run.WrongUsage;
import java.util.Arrays;
import picocli.CommandLine;

/** {@code ./rdma4j bench}: the first word names a benchmark that needs no guest; without such a word the suite runs. */
public final class BenchMain {
    private static final int FAILURE = 1;

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
        return new CommandLine(new BenchCommand())
                .setOut(new StandardOutput(System.out))
                .setParameterExceptionHandler(new WrongUsage())
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    command.getErr().println("rdma4j: " + Failures.text(e));
                    return FAILURE;
                });
    }
}
