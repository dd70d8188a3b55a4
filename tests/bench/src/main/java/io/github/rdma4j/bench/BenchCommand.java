// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench;

import io.github.rdma4j.bench.suite.SuiteOptions;
import io.github.rdma4j.bench.suite.SuiteRun;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code rdma4j bench}: the suite. */
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
public final class BenchCommand implements Callable<Integer> {
    @Mixin
    private SuiteOptions options = new SuiteOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** For picocli. */
    public BenchCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        return SuiteRun.run(options, spec);
    }
}
