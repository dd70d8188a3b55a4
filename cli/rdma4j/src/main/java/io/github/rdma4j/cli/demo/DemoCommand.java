// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.demo;

import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.kernel.RdmaException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rdma4j demo}. */
@Command(
        name = "demo",
        description = "Boot a guest with soft-RoCE and exchange verified data: Java to Java, Java to C, and C to Java.",
        mixinStandardHelpOptions = true)
public final class DemoCommand extends RdmaCommand {
    private static final int LIMIT_SECONDS = 600;

    @Option(
            names = "--on",
            paramLabel = "uml|vm|host",
            description =
                    "Run in a guest (User Mode Linux where its kernel is in the cache, else vm), or on the RDMA device"
                            + " of this machine (host).")
    private @Nullable String where;

    @Option(names = "--inside", hidden = true, description = "Run the exchanges here.")
    private boolean inside;

    /** For picocli. */
    public DemoCommand() {}

    @Override
    public Integer call() throws RdmaException, InterruptedException {
        if (inside) {
            return new DemoRun(out()).run() ? 0 : 1;
        }
        if (!"host".equals(where)) {
            out().println("booting a guest kernel with a soft-RoCE device ...");
        }
        List<String> command = GuestRun.commandLine(GuestRun.SHORT_LIVED, List.of("demo", "--inside"));
        return GuestRun.run(where, LIMIT_SECONDS, null, command);
    }
}
