// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.verify;

import io.github.rdma4j.providers.Drivers;
import io.github.rdma4j.providers.script.CLibrary;
import io.github.rdma4j.providers.script.Driver;
import io.github.rdma4j.providers.script.Mode;
import io.github.rdma4j.providers.script.RandomScript.Life;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rdma4j verify provider}. */
@Command(
        name = "rdma4j verify provider",
        description = {
            "Compare a provider in Java with the library of rdma-core for the same driver: random verbs run on both, and"
                    + " everything that a device would see must be the same byte for byte. Needs neither a device nor a"
                    + " privilege.",
            "An operation is a call of the verbs or a completion of the device. A run consists of scripts of 5,000 operations"
                    + " with many queue pairs, and from 200,000 operations a mode on also of scripts of 50,000 operations of"
                    + " one queue pair with short queues, whose rings go round. The modes of a driver share no script, nor do"
                    + " runs with different seeds, also if these are neighbours."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Needs a C compiler, libibverbs-dev and ibverbs-providers, which ./rdma4j verify provider installs for root.",
            "Exit status: 0 no difference; 1 a difference, or a failure; 2 wrong usage; 3 missing Debian packages."
        })
public final class VerifyProvider implements Callable<Integer> {
    private static final int FAILURE = 1;
    private static final int MOST_LINES = 1_000_000_000;
    private static final int SEEDS = 1_000_000_000;
    private static final Duration REPORT_EVERY = Duration.ofSeconds(10);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "NAME",
            description = "The driver: ${COMPLETION-CANDIDATES}.",
            completionCandidates = Names.class)
    private String name = "";

    @Option(
            names = "--lines",
            paramLabel = "N",
            description = "Number of operations, 1 to 1000000000, shared by the modes (${DEFAULT-VALUE}).")
    private int lines = 1_000_000;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Seed from which the seeds of the scripts are drawn, any 64-bit number (random).")
    private @Nullable Long givenSeed;

    @Option(
            names = "--script",
            paramLabel = "S",
            description = "Only the script that a message named by this number; needs --mode and --lines.")
    private @Nullable Long scriptSeed;

    @Option(names = "--long", description = "With --script: the script is one of long lives.")
    private boolean longLife;

    @Option(names = "--mode", paramLabel = "M", description = "Only this mode of the driver; a wrong name shows all.")
    private @Nullable String modeName;

    /** The names of the drivers. */
    static final class Names extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Names() {
            Drivers.all().forEach(driver -> add(driver.name()));
        }
    }

    /** Builds what a thread compares with; a directory is for it alone. */
    @FunctionalInterface
    interface PeerBuilder {
        Comparison.Peer build(Driver driver, Path directory) throws IOException, InterruptedException;
    }

    private final PeerBuilder builder;

    VerifyProvider(PeerBuilder builder) {
        this.builder = builder;
    }

    /** Runs the command. */
    public static void main(String[] arguments) {
        System.exit(commandLine((driver, directory) -> CLibrary.build(driver, directory)::play)
                .execute(arguments));
    }

    static CommandLine commandLine(PeerBuilder builder) {
        return new CommandLine(new VerifyProvider(builder))
                .setParameterExceptionHandler((e, parsed) -> {
                    CommandLine command = e.getCommandLine();
                    command.getErr().println("rdma4j: " + e.getMessage());
                    command.getErr().println("Try: ./rdma4j verify provider --help");
                    return CommandLine.ExitCode.USAGE;
                })
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    command.getErr().println("rdma4j: " + (e.getMessage() == null ? e : e.getMessage()));
                    return FAILURE;
                });
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (lines < 1 || lines > MOST_LINES) {
            throw new ParameterException(spec.commandLine(), "--lines " + lines + " is not from 1 to " + MOST_LINES);
        }
        if (scriptSeed == null ? longLife : modeName == null) {
            throw new ParameterException(spec.commandLine(), "--long needs --script, and --script needs --mode");
        }
        Driver driver = driver();
        List<Mode> modes = modes(driver);
        long seed = givenSeed == null ? ThreadLocalRandom.current().nextInt(SEEDS) : givenSeed;
        int ofEach = (lines + modes.size() - 1) / modes.size();
        print("%s, seed %d, %,d operations in each mode: %s", name, seed, ofEach, names(modes));
        Path directory = Files.createTempDirectory("rdma4j-verify-provider");
        Thread cleaning = new Thread(() -> delete(directory));
        // Ctrl-C ends a run of hours as well as of seconds.
        Runtime.getRuntime().addShutdownHook(cleaning);
        try {
            return compare(new Campaign(scripts(modes, seed, ofEach), peers(driver, directory)), seed);
        } finally {
            delete(directory);
            Runtime.getRuntime().removeShutdownHook(cleaning);
        }
    }

    private List<Script> scripts(List<Mode> modes, long seed, int ofEach) {
        return scriptSeed == null
                ? Script.campaign(modes, seed, ofEach)
                : List.of(new Script(modes.get(0), scriptSeed, longLife ? Life.LONG : Life.SHORT, lines));
    }

    private int compare(Campaign campaign, long seed) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Optional<Comparison> different = campaign.run(reportingSince(start));
        if (different.isPresent()) {
            report(different.get());
            return FAILURE;
        }
        print(
                "no difference in %,d operations, %,d lines of output; %d s, seed %d",
                campaign.operations(), campaign.outputLines(), seconds(System.nanoTime() - start), seed);
        return 0;
    }

    private List<Comparison.Peer> peers(Driver driver, Path directory) throws IOException, InterruptedException {
        List<Comparison.Peer> peers = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            peers.add(builder.build(driver, Files.createDirectory(directory.resolve("peer" + i))));
        }
        return peers;
    }

    private Driver driver() {
        return Drivers.of(name)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(), "'" + name + "' is not one of " + String.join(", ", new Names())));
    }

    private List<Mode> modes(Driver driver) {
        List<Mode> modes = driver.modes().stream()
                .filter(mode -> modeName == null || mode.name().equals(modeName))
                .toList();
        if (modes.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--mode " + modeName + " is not one of " + names(driver.modes()));
        }
        return modes;
    }

    private static String names(List<Mode> modes) {
        return modes.stream().map(Mode::name).collect(Collectors.joining(", "));
    }

    private LongConsumer reportingSince(long start) {
        long[] last = {start};
        return operations -> {
            long now = System.nanoTime();
            if (now - last[0] >= REPORT_EVERY.toNanos()) {
                last[0] = now;
                print("  %,d operations, %d s", operations, seconds(now - start));
            }
        };
    }

    private static long seconds(long nanos) {
        return Duration.ofNanos(nanos).toSeconds();
    }

    private void report(Comparison comparison) throws IOException {
        Path kept = Files.createTempDirectory("rdma4j-provider-difference");
        Files.write(kept.resolve("java"), comparison.java());
        Files.write(kept.resolve("c"), comparison.c());
        print("DIFFERENCE: %s", comparison.difference().orElseThrow());
        print("  all output: diff %s %s", kept.resolve("java"), kept.resolve("c"));
        print(
                "  repeat:     ./rdma4j verify provider %s %s",
                name, comparison.script().options());
    }

    private void print(String format, Object... arguments) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf(Locale.ROOT, format + "%n", arguments);
        out.flush();
    }

    private static void delete(Path directory) {
        try (Stream<Path> paths = Files.walk(directory)) {
            paths.sorted(Comparator.reverseOrder())
                    .forEach(path -> path.toFile().delete());
        } catch (IOException e) {
            // It is gone, or the system removes it.
        }
    }
}
