// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cli.run.RdmaAddress;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The part of the suite that runs in the guest: its benches one after the other, a failure of which ends only that
 * bench.
 */
final class InsideRun {
    private static final double NANOS_PER_SECOND = 1e9;

    private final SuiteOptions options;
    private final Guest guest;
    private final PrintWriter progress;

    InsideRun(SuiteOptions options, Guest guest, PrintWriter progress) {
        this.options = options;
        this.guest = guest;
        this.progress = progress;
    }

    /** Runs {@code plans} and writes what they find into the file for this guest. */
    void run(List<BenchPlan> plans) throws RdmaException, InterruptedException {
        RdmaAddress rdma = RdmaAddress.first();
        Machine machine = Machine.here(rdma.device().name());
        Bench.Place place = new Bench.Place(guest, rdma, options.directory, options.iterations);
        say(machine.text());
        try (Recorder recorder = Recorder.appendingTo(options.resultsOf(guest))) {
            recorder.machine(machine);
            for (BenchPlan plan : plans) {
                if (plan.processors() > machine.count() && !options.rows.contains(plan.name())) {
                    recorder.text(
                            Recorder.LEFT_OUT,
                            plan.name(),
                            "needs " + plan.processors()
                                    + " processors, because both sides poll; use --on vm or host, or name it with --rows");
                } else {
                    run(plan, place, recorder);
                }
            }
        } catch (IOException e) {
            throw new RdmaException("cannot write the results", e);
        }
    }

    private void run(BenchPlan plan, Bench.Place place, Recorder recorder) throws InterruptedException {
        long start = System.nanoTime();
        try (Bench bench = plan.factory().make(place)) {
            bench.prepare();
            for (int turn = 0; turn < options.turns; turn++) {
                turn(plan, bench, turn, recorder);
            }
            if (!bench.remark().isEmpty()) {
                recorder.text(Recorder.NOTE, plan.name(), bench.remark());
            }
        } catch (RdmaException | RuntimeException e) {
            recorder.text(Recorder.FAILURE, plan.name(), Failures.text(e));
            say(plan.name() + " failed: " + Failures.text(e));
        }
        say(String.format(Locale.ROOT, "%s took %.0f s", plan.name(), (System.nanoTime() - start) / NANOS_PER_SECOND));
    }

    /** C begins one turn and Java the next, so that slow changes affect both equally. */
    private void turn(BenchPlan plan, Bench bench, int turn, Recorder recorder)
            throws RdmaException, InterruptedException {
        Map<Bench.Side, Bench.Sample> samples = new EnumMap<>(Bench.Side.class);
        boolean javaFirst = turn % 2 == 1;
        if (javaFirst) {
            samples.put(Bench.Side.JAVA, bench.measureJava());
        }
        if (bench.hasC()) {
            samples.put(Bench.Side.C, bench.measureC());
        }
        if (!javaFirst) {
            samples.put(Bench.Side.JAVA, bench.measureJava());
        }
        for (Bench.Sample sample : samples.values()) {
            for (Row row : plan.rows()) {
                require(plan, row, sample.figures());
            }
        }
        samples.forEach((side, sample) -> recorder.sample(plan.name(), side, sample));
        say(text(plan.rows().get(0), turn, samples));
    }

    private String text(Row row, int turn, Map<Bench.Side, Bench.Sample> samples) {
        List<String> figures = new ArrayList<>();
        samples.forEach((side, sample) -> figures.add(String.format(
                Locale.ROOT, "%s %.2f", side.title(), sample.figures().get(row.name()))));
        return String.format(
                Locale.ROOT,
                "%s turn %d of %d: %s %s",
                row.name(),
                turn + 1,
                options.turns,
                String.join(", ", figures),
                row.unit().symbol());
    }

    /** Rejects a figure that is not a number, which perftest prints if it does not know its clock. */
    private static void require(BenchPlan plan, Row row, Map<String, Double> figures) throws RdmaException {
        double figure = figures.getOrDefault(row.name(), Double.NaN);
        if (!Double.isFinite(figure) || figure <= 0) {
            throw new RdmaException(plan.name() + " has no figure for " + row.name() + ": " + figure);
        }
    }

    private void say(String text) {
        progress.println("rdma4j: bench: " + text);
        progress.flush();
    }
}
