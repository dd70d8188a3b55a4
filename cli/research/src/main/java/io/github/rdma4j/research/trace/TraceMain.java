// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import io.github.rdma4j.cli.run.WrongUsage;
import java.util.Arrays;
import picocli.CommandLine;

/** The program behind {@code rdma4j trace}. */
public final class TraceMain {
    private static final int WIDTH = 100;
    private static final int FAILURE = 1;

    private TraceMain() {}

    /** Runs the command. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Runs the command and returns its exit status. */
    public static int run(String... arguments) {
        // Not a subcommand: what follows the options of trace is a command to run, whatever its name.
        boolean isRender = arguments.length > 0 && arguments[0].equals("render");
        return commandLine(isRender ? new RenderCommand() : new TraceCommand())
                .setStopAtPositional(true)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(new WrongUsage())
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    command.getErr().println("trace: " + (e.getMessage() == null ? e : e.getMessage()));
                    return FAILURE;
                })
                .execute(isRender ? Arrays.copyOfRange(arguments, 1, arguments.length) : arguments);
    }

    static CommandLine commandLine(Object command) {
        return new CommandLine(command).setUsageHelpWidth(WIDTH);
    }
}
