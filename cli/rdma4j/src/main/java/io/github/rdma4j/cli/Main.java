// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli;

import io.github.rdma4j.cli.cmtime.CmtimeCommand;
import io.github.rdma4j.cli.demo.DemoCommand;
import io.github.rdma4j.cli.devices.DevicesCommand;
import io.github.rdma4j.cli.doctor.DoctorCommand;
import io.github.rdma4j.cli.doctor.MissingRdma;
import io.github.rdma4j.cli.perf.PerfCommand;
import io.github.rdma4j.cli.ping.PingCommand;
import io.github.rdma4j.cli.rcopy.RcopyCommand;
import io.github.rdma4j.cli.rstream.RstreamCommand;
import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cli.run.StandardOutput;
import io.github.rdma4j.cli.run.WrongUsage;
import io.github.rdma4j.cli.sa.SaCommand;
import io.github.rdma4j.cli.transfer.CmatoseCommand;
import io.github.rdma4j.cli.transfer.MckeyCommand;
import io.github.rdma4j.cli.transfer.UdaddyCommand;
import io.github.rdma4j.cli.verify.VerifyCommand;
import io.github.rdma4j.testbed.TestbedMain;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;

/**
 * The command line. Exit status 0 means success, 1 failure, 2 wrong usage, 141 closed standard output. A failure prints
 * one line on standard error; {@code --debug} adds a stack trace.
 */
@Command(
        name = "rdma4j",
        description = "RDMA connection manager and verbs in pure Java.",
        mixinStandardHelpOptions = true,
        footer = {"", "testbed run [OPTION]... [--] COMMAND...  run a command in a guest with soft-RoCE"})
public final class Main {
    private static final int FAILURE = 1;

    /** The exit status that a shell reports for a program ended by SIGPIPE. */
    private static final int NOBODY_READS = 141;

    private static final String DEBUG = "--debug";

    private static final Pattern OPEN_FILES = Pattern.compile("(?m)^Max open files\\s+(\\d+)");

    /** Enough for the JVM, its libraries and one connection. */
    private static final int ENOUGH_FILES = 64;

    /** The commands in the order of the help. */
    private static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();

    static {
        COMMANDS.put("demo", DemoCommand.class);
        COMMANDS.put("devices", DevicesCommand.class);
        COMMANDS.put("doctor", DoctorCommand.class);
        COMMANDS.put("ping", PingCommand.class);
        COMMANDS.put("cmatose", CmatoseCommand.class);
        COMMANDS.put("udaddy", UdaddyCommand.class);
        COMMANDS.put("mckey", MckeyCommand.class);
        COMMANDS.put("rstream", RstreamCommand.class);
        COMMANDS.put("rcopy", RcopyCommand.class);
        COMMANDS.put("cmtime", CmtimeCommand.class);
        COMMANDS.put("perf", PerfCommand.class);
        COMMANDS.put("sa", SaCommand.class);
        COMMANDS.put("verify", VerifyCommand.class);
    }

    @Option(
            names = DEBUG,
            description = "Show a stack trace when something fails.",
            scope = CommandLine.ScopeType.INHERIT)
    private boolean debug;

    private Main() {}

    /** Runs the subcommand named in {@code arguments}. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    static int run(String... arguments) {
        try {
            return dispatch(arguments);
        } catch (StandardOutput.ClosedException e) {
            return NOBODY_READS;
        } catch (LinkageError | OutOfMemoryError e) {
            // picocli handles exceptions, but not errors
            if (List.of(arguments).contains(DEBUG)) {
                e.printStackTrace();
            }
            System.err.println("rdma4j: " + explain(e));
            return FAILURE;
        }
    }

    /** Explains why the program cannot start although its arguments are correct. */
    private static String explain(Error failure) {
        Optional<Integer> files = openFiles();
        if (failure instanceof LinkageError && files.isPresent() && files.get() < ENOUGH_FILES) {
            return "the limit of open files is " + files.get()
                    + ", too low to load the native part of JNR; set ulimit -n " + ENOUGH_FILES + " or more ("
                    + firstLine(failure) + ")";
        }
        if (failure instanceof LinkageError) {
            return "the native part of JNR, or a class, cannot be loaded: " + firstLine(failure)
                    + "; --debug shows where. Is the limit of open files (ulimit -n) at least " + ENOUGH_FILES + "?";
        }
        return Failures.text(failure);
    }

    private static String firstLine(Error failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.toString().lines().findFirst().orElse("");
    }

    private static Optional<Integer> openFiles() {
        try {
            Matcher limit = OPEN_FILES.matcher(Files.readString(Path.of("/proc/self/limits")));
            return limit.find() ? Optional.of(Integer.parseInt(limit.group(1))) : Optional.empty();
        } catch (IOException | NumberFormatException | LinkageError e) {
            // reading the file needs a descriptor, and none may be left
            return Optional.empty();
        }
    }

    private static int dispatch(String... arguments) {
        if (arguments.length > 0 && arguments[0].equals("testbed")) {
            // the arguments contain the command line of another program, which must not be parsed here
            return TestbedMain.run(List.of(Arrays.copyOfRange(arguments, 1, arguments.length)));
        }
        return commandLine(arguments).execute(arguments);
    }

    /**
     * Returns the command line for {@code arguments}. If the first argument is a command, the other commands are left
     * out, because picocli takes longer to read all of them than a short command runs.
     */
    static CommandLine commandLine(String... arguments) {
        Main main = new Main();
        CommandLine line = new CommandLine(main);
        String first = arguments.length == 0 ? "" : arguments[0];
        Class<?> named = COMMANDS.get(first);
        if (named == null) {
            COMMANDS.forEach(line::addSubcommand);
        } else {
            line.addSubcommand(first, named);
        }
        giveVersion(line);
        line.setOut(new StandardOutput(System.out));
        line.setExecutionExceptionHandler((e, command, parsed) -> main.report(e, command));
        line.setParameterExceptionHandler(new WrongUsage());
        return line;
    }

    private static void giveVersion(CommandLine line) {
        line.getCommandSpec().versionProvider(new Version());
        line.getSubcommands().values().forEach(Main::giveVersion);
    }

    private int report(Exception e, CommandLine command) {
        if (e instanceof StandardOutput.ClosedException) {
            return NOBODY_READS;
        }
        if (debug) {
            e.printStackTrace(command.getErr());
        }
        command.getErr().println("rdma4j: " + MissingRdma.explain(e).orElseGet(() -> Failures.text(e)));
        return FAILURE;
    }

    /** The program version, common to all commands. */
    private static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            try (InputStream file = Objects.requireNonNull(Main.class.getResourceAsStream("version.properties"))) {
                Properties properties = new Properties();
                properties.load(file);
                return new String[] {"rdma4j " + properties.getProperty("version")};
            }
        }
    }
}
