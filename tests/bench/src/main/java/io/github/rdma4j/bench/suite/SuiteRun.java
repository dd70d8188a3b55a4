// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.Json;
import io.github.rdma4j.providers.script.CProgram;
import io.github.rdma4j.testbed.image.CacheDirectory;
import io.github.rdma4j.testbed.image.UmlKernel;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A run of {@code rdma4j bench}: chooses the guests, starts them one after the other, and reports. */
public final class SuiteRun {
    /** The main class; by name, because it depends on this class. */
    private static final String MAIN = "io.github.rdma4j.bench.BenchMain";

    private static final int LIMIT_SECONDS = 3600;
    private static final int MOST_TURNS = 100;
    private static final int MOST_ITERATIONS = 1000;

    private final SuiteOptions options;
    private final PrintWriter out;
    private final PrintWriter progress;

    private SuiteRun(SuiteOptions options, PrintWriter out, PrintWriter progress) {
        this.options = options;
        this.out = out;
        this.progress = progress;
    }

    /** Runs the suite as {@code options} want it; returns the exit status. */
    public static int run(SuiteOptions options, CommandSpec spec) throws IOException, InterruptedException {
        check(options, spec);
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter progress = spec.commandLine().getErr();
        if (options.inside != null) {
            Guest guest = Guest.of(options.inside);
            new InsideRun(options, guest, progress).run(chosen(options, guest));
            return 0;
        }
        if (options.list) {
            Suite.plans().forEach(plan -> out.println(plan.name()));
            out.flush();
            return 0;
        }
        return new SuiteRun(options, out, progress).run();
    }

    private static void check(SuiteOptions options, CommandSpec spec) {
        require(options.turns >= 1 && options.turns <= MOST_TURNS, "--turns takes 1 to " + MOST_TURNS, spec);
        require(
                options.iterations >= 1 && options.iterations <= MOST_ITERATIONS,
                "--iterations takes 1 to " + MOST_ITERATIONS + " percent",
                spec);
        require(
                options.on == null || List.of("uml", "vm", "host").contains(options.on),
                "--on takes uml, vm or host",
                spec);
        for (String wanted : options.rows) {
            require(
                    Suite.plans().stream().anyMatch(plan -> plan.isAmong(List.of(wanted))),
                    "no bench is called '" + wanted + "'; --list shows the names",
                    spec);
        }
    }

    private static void require(boolean good, String complaint, CommandSpec spec) {
        if (!good) {
            throw new ParameterException(spec.commandLine(), complaint);
        }
    }

    /** The benches that run in {@code guest}: all benches with --on, otherwise the benches of that guest. */
    private static List<BenchPlan> chosen(SuiteOptions options, Guest guest) {
        return Suite.plans().stream()
                .filter(plan -> plan.isAmong(options.rows))
                .filter(plan -> options.on != null || plan.guests().contains(guest))
                .toList();
    }

    private int run() throws IOException, InterruptedException {
        Findings findings = new Findings();
        String load = Machine.load();
        Path directory = Files.createTempDirectory("rdma4j-bench");
        options.directory = directory;
        try {
            ConnectionsProgram.build(directory);
            Map<Guest, List<BenchPlan>> guests = guests();
            say("about 20 minutes for the whole suite; on a machine that does nothing else meanwhile");
            for (Map.Entry<Guest, List<BenchPlan>> entry : guests.entrySet()) {
                run(entry.getKey(), entry.getValue(), findings);
            }
        } finally {
            CProgram.delete(directory);
        }
        SuiteReport report = new SuiteReport(findings, Machine.host(), load);
        if (options.json) {
            out.println(Json.text(report.fields()));
            out.flush();
        } else {
            report.print(out);
        }
        return findings.failures().isEmpty() ? 0 : 1;
    }

    /** Which benches run where. Without the kernel of User Mode Linux QEMU is the place for everything. */
    private Map<Guest, List<BenchPlan>> guests() {
        if (options.on == null && !UmlKernel.isIn(CacheDirectory.of(System.getenv()))) {
            say(
                    "the cache has no kernel for User Mode Linux (./rdma4j testbed setup --on uml): everything runs in QEMU");
            options.on = Guest.VM.option();
        }
        List<Guest> kinds = options.on == null ? List.of(Guest.UML, Guest.VM) : List.of(Guest.of(options.on));
        Map<Guest, List<BenchPlan>> guests = new EnumMap<>(Guest.class);
        kinds.forEach(guest -> guests.put(guest, chosen(options, guest)));
        guests.values().removeIf(List::isEmpty);
        return guests;
    }

    private void run(Guest guest, List<BenchPlan> plans, Findings findings) throws IOException {
        say("in " + guest.option() + ": "
                + String.join(", ", plans.stream().map(BenchPlan::name).toList()));
        List<String> command = GuestRun.commandLine(MAIN, guest.jvmOptions(), inside(guest));
        int status = GuestRun.run(guest.option(), LIMIT_SECONDS, options.directory, command);
        Path results = options.resultsOf(guest);
        if (Files.exists(results)) {
            findings.read(results, guest, plans);
        }
        if (status != 0) {
            findings.failures().put(guest.option(), "the run ended with status " + status);
        }
    }

    private List<String> inside(Guest guest) {
        List<String> arguments = new ArrayList<>(List.of("--inside", guest.option()));
        if (options.on != null) {
            arguments.addAll(List.of("--on", guest.option()));
        }
        arguments.addAll(List.of("--directory", options.directory.toString()));
        arguments.addAll(List.of("--turns", String.valueOf(options.turns)));
        arguments.addAll(List.of("--iterations", String.valueOf(options.iterations)));
        if (!options.rows.isEmpty()) {
            arguments.addAll(List.of("--rows", String.join(",", options.rows)));
        }
        return arguments;
    }

    private void say(String text) {
        progress.println("rdma4j: bench: " + text);
        progress.flush();
    }
}
