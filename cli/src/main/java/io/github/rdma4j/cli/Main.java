// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli;

import io.github.rdma4j.cli.bench.BenchCommand;
import io.github.rdma4j.cli.cmatose.CmatoseCommand;
import io.github.rdma4j.cli.cmtime.CmtimeCommand;
import io.github.rdma4j.cli.demo.DemoCommand;
import io.github.rdma4j.cli.doctor.DoctorCommand;
import io.github.rdma4j.cli.mckey.MckeyCommand;
import io.github.rdma4j.cli.ping.PingCommand;
import io.github.rdma4j.cli.sa.SaCommand;
import io.github.rdma4j.cli.udaddy.UdaddyCommand;
import io.github.rdma4j.testbed.TestbedMain;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command line. Exit status 0 when all went well, 1 after a failure, 2 for wrong usage; a failure is one line on
 * standard error, with {@code --debug} a stack trace as well.
 */
@Command(
        name = "rdma4j",
        description = "RDMA connection manager and verbs in pure Java.",
        mixinStandardHelpOptions = true,
        version = "rdma4j 0.1.0-SNAPSHOT",
        subcommands = {
            DemoCommand.class,
            DoctorCommand.class,
            PingCommand.class,
            CmatoseCommand.class,
            UdaddyCommand.class,
            MckeyCommand.class,
            CmtimeCommand.class,
            SaCommand.class,
            BenchCommand.class
        },
        footer = {"", "testbed run [OPTION]... [--] COMMAND...  run a command in a guest with soft-RoCE"})
public final class Main {
    private static final int FAILURE = 1;

    @Option(
            names = "--debug",
            description = "Show a stack trace when something fails.",
            scope = CommandLine.ScopeType.INHERIT)
    private boolean debug;

    private Main() {}

    /** Runs the subcommand that {@code arguments} name. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    static int run(String... arguments) {
        if (arguments.length > 0 && arguments[0].equals("testbed")) {
            // Its arguments hold another program's command line, which is not for us to understand.
            return TestbedMain.run(List.of(Arrays.copyOfRange(arguments, 1, arguments.length)));
        }
        Main main = new Main();
        CommandLine line = new CommandLine(main);
        line.setExecutionExceptionHandler((e, command, parsed) -> main.report(e, command));
        return line.execute(arguments);
    }

    private int report(Exception e, CommandLine command) {
        if (debug) {
            e.printStackTrace(command.getErr());
        }
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        command.getErr().println("rdma4j: " + message);
        return FAILURE;
    }
}
