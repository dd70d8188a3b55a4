// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.cli.run.WrongUsage;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code rdma4j semantics}: the study of the kernel's connection manager. */
@Command(
        name = "rdma4j semantics",
        description = {
            "What the kernel's connection manager does with each command in each situation of an id.",
            "See docs/cm-semantics.md for how it is measured and what was found."
        },
        mixinStandardHelpOptions = true,
        subcommands = {
            RecordCommand.class,
            ShowCommand.class,
            FindCommand.class,
            DiffCommand.class,
            CompareCommand.class,
            DocumentCommand.class,
            SiteCommand.class
        },
        footer = {
            "",
            "Exit status: 0 success; 1 a recording failed; 2 wrong usage, or the name of something that does not exist;"
                    + " 121 to 125 the testbed failed, see ./rdma4j testbed --help."
        })
public final class SemanticsMain {
    private static final int FAILURE = 1;

    private SemanticsMain() {}

    /** Runs the command. */
    public static void main(String[] arguments) {
        // An experiment that stopped may have left a thread in the kernel, which would keep the JVM alive.
        System.exit(run(arguments));
    }

    /** Runs the command and returns its exit status. */
    public static int run(String... arguments) {
        return commandLine().execute(arguments);
    }

    static CommandLine commandLine() {
        return new CommandLine(new SemanticsMain())
                .setUsageHelpWidth(Layout.WIDTH)
                .setParameterExceptionHandler(new WrongUsage())
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    command.getErr().println("semantics: " + (e.getMessage() == null ? e : e.getMessage()));
                    return FAILURE;
                });
    }
}
