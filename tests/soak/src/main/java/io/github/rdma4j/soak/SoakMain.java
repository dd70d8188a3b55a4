// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.WrongUsage;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.testbed.TestbedMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rdma4j soak}: boots the guests, and is the program that runs in the first of them. */
@Command(
        name = "rdma4j soak",
        description = "Servers and clients of every kind under faults, with invariants checked after each.",
        footer = {"", "Exit status 1: an invariant is broken; the last lines say which, and with which seed."},
        mixinStandardHelpOptions = true)
public final class SoakMain implements Callable<Integer> {
    /** The time for the start, the warm-up, the last fault and the shutdown, in addition to the minutes. */
    private static final Duration MARGIN = Duration.ofMinutes(25);

    private static final int FAILURE = 1;
    private static final String IB = "ib";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "MINUTES",
            description = "For how long to inject faults (${DEFAULT-VALUE}).")
    private double minutes = 5;

    @Option(names = "--seed", paramLabel = "N", description = "Replays the faults of the run that printed it.")
    private @Nullable Long seed;

    @Option(
            names = "--nodes",
            paramLabel = "1|2|both",
            description = "One guest, two, or one after the other with half of the time each (${DEFAULT-VALUE}).")
    private String nodes = "both";

    @Option(
            names = "--faults",
            paramLabel = "NAME",
            split = ",",
            description = "These kinds only; a replay needs the same.")
    private List<String> faults = new ArrayList<>();

    @Option(names = "--list", description = "Print the kinds of faults and end.")
    private boolean list;

    @Option(
            names = "--device",
            paramLabel = "rxe|ib",
            description = "Soft-RoCE, or InfiniBand in software with a subnet manager (${DEFAULT-VALUE}).")
    private String device = "rxe";

    @Option(names = "--kernel", paramLabel = "VERSION", description = "The guest's kernel; see ./rdma4j testbed.")
    private @Nullable String kernel;

    @Option(
            names = "--logs",
            paramLabel = "DIR",
            description =
                    "Where the processes' output goes; unless given, a temporary directory, removed after success.")
    private @Nullable Path logs;

    @Option(names = "--inside", hidden = true)
    private boolean inside;

    /** For picocli. */
    public SoakMain() {}

    /** Runs the command. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Runs the command and returns its exit status. */
    public static int run(String... arguments) {
        return new CommandLine(new SoakMain())
                .setParameterExceptionHandler(new WrongUsage())
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    e.printStackTrace(command.getErr());
                    return FAILURE;
                })
                .execute(arguments);
    }

    @Override
    public Integer call() throws RdmaException, IOException, InterruptedException {
        if (list) {
            Faults.all().forEach(fault -> System.out.printf("%-16s %s%n", fault.name(), fault.description()));
            return 0;
        }
        if (!(minutes > 0)) {
            throw new ParameterException(spec.commandLine(), "MINUTES " + minutes + " is not more than 0");
        }
        if (!List.of("rxe", IB).contains(device)) {
            throw new ParameterException(spec.commandLine(), "--device must be rxe or ib, not " + device);
        }
        if (inside) {
            return runInside();
        }
        long chosen = seed == null ? new SecureRandom().nextInt(Integer.MAX_VALUE) : seed;
        List<Integer> runs = switch (nodes) {
            case "1" -> List.of(1);
            case "2" -> List.of(2);
            case "both" -> List.of(1, 2);
            default -> throw new ParameterException(spec.commandLine(), "--nodes must be 1, 2 or both, not " + nodes);
        };
        for (int run : runs) {
            int status = boot(chosen, run, minutes / runs.size());
            if (status != 0) {
                return status;
            }
        }
        return 0;
    }

    private List<Fault> chosen(boolean twoNodes) {
        for (String name : faults) {
            if (Faults.all().stream().noneMatch(fault -> fault.name().equals(name))) {
                throw new ParameterException(spec.commandLine(), "--faults " + name + " is none of those of --list");
            }
        }
        List<Fault> kinds = Faults.all().stream()
                .filter(fault -> Faults.isPossible(fault, device.equals(IB)))
                .filter(fault -> twoNodes || !fault.needsTwoNodes())
                .filter(fault -> faults.isEmpty() || faults.contains(fault.name()))
                .toList();
        if (kinds.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "none of --faults is possible with --nodes " + nodes + " and --device " + device);
        }
        return kinds;
    }

    private int runInside() throws RdmaException, InterruptedException {
        boolean twoNodes = nodes.equals("2");
        Path directory = logs == null ? Path.of("/tmp") : logs;
        long millis = Math.round(minutes * Duration.ofMinutes(1).toMillis());
        String name = device.equals(IB) ? "softib0" : "rxe0";
        Soak soak = new Soak(System.out, name, Duration.ofMillis(millis), seed == null ? 0 : seed, chosen(twoNodes));
        return soak.run(twoNodes, directory) ? 0 : FAILURE;
    }

    private int boot(long seedOfRun, int guests, double time) throws IOException {
        Path directory = logs == null ? Files.createTempDirectory("rdma4j-soak-") : Files.createDirectories(logs);
        List<String> same = new ArrayList<>(List.of("--seed", Long.toString(seedOfRun), "--nodes", "" + guests));
        if (device.equals(IB)) {
            same.addAll(List.of("--device", IB));
        }
        if (!faults.isEmpty()) {
            same.addAll(List.of("--faults", String.join(",", faults)));
        }
        String replay = String.format(Locale.ROOT, "./rdma4j soak %s %s", time, String.join(" ", same));
        System.out.println("seed " + seedOfRun + "; to replay: " + replay);
        System.out.flush();
        int status = TestbedMain.run(commandLine(same, guests, time, directory));
        if (status == 0 && logs == null) {
            delete(directory);
        } else if (status != 0) {
            System.out.println("FAILED with seed " + seedOfRun + ": " + replay + "; logs in " + directory);
        }
        return status;
    }

    private List<String> commandLine(List<String> same, int guests, double time, Path directory) {
        List<String> line = new ArrayList<>(List.of("run", "--nodes", "" + guests, "--share", directory.toString()));
        if (device.equals(IB)) {
            line.addAll(List.of("--device", IB));
        }
        if (kernel != null) {
            line.addAll(List.of("--kernel", kernel));
        }
        long limit = Math.round(time * Duration.ofMinutes(1).toSeconds()) + MARGIN.toSeconds();
        line.addAll(List.of("--timeout", Long.toString(limit), "--"));
        List<String> inGuest = new ArrayList<>(List.of("--inside", "--logs", directory.toString()));
        inGuest.addAll(same);
        inGuest.add(Double.toString(time));
        line.addAll(
                JavaCommand.measurable(GuestRun.commandLine(SoakMain.class.getName(), GuestRun.SHORT_LIVED, inGuest)));
        return line;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
