// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench;

import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;

/** Measures the start and the end of a guest stage by stage, for each kind of guest, the kinds in turns. */
final class TestbedBench {
    private static final int PROGRESS_EVERY = 50;
    private static final double P99 = 0.99;
    private static final Map<String, String> NAMES = Map.of("uml", "User Mode Linux", "vm", "QEMU");

    private final List<String> kinds;
    private final int starts;
    private final int sideBySide;
    private final PrintWriter out;
    private final Map<String, List<GuestStart>> clean = new LinkedHashMap<>();
    private final Map<String, Integer> failures = new LinkedHashMap<>();

    /**
     * A run of the benchmark.
     *
     * @param kinds such as {@code uml} and {@code vm}
     * @param starts how many guests of each kind
     * @param sideBySide how many of them at a time
     */
    TestbedBench(List<String> kinds, int starts, int sideBySide, PrintWriter out) {
        this.kinds = List.copyOf(kinds);
        this.starts = starts;
        this.sideBySide = sideBySide;
        this.out = out;
        for (String kind : kinds) {
            clean.put(kind, new ArrayList<>());
            failures.put(kind, 0);
        }
    }

    /** Prints what it does and finds; returns the findings for programs. */
    Map<String, Object> run() throws RdmaException, InterruptedException {
        out.printf(
                "%d starts of each kind of guest, in turns, %d at a time; milliseconds from the start of the launcher%n",
                starts, sideBySide);
        out.flush();
        ExecutorService threads = Executors.newFixedThreadPool(sideBySide);
        try {
            for (int done = 0; done < starts; done += sideBySide) {
                for (String kind : kinds) {
                    start(threads, kind, Math.min(sideBySide, starts - done));
                }
                progress(done);
            }
        } finally {
            threads.shutdownNow();
        }
        kinds.forEach(this::report);
        reportRatios();
        return findings();
    }

    /** How many starts did not end as they should. */
    int failed() {
        return failures.values().stream().mapToInt(Integer::intValue).sum();
    }

    private void start(ExecutorService threads, String kind, int count) throws RdmaException, InterruptedException {
        List<Future<GuestStart>> running = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            running.add(threads.submit(() -> GuestStart.of(kind)));
        }
        for (Future<GuestStart> each : running) {
            try {
                keep(kind, each.get());
            } catch (ExecutionException e) {
                throw new RdmaException("cannot start the launcher of the testbed", new IOException(e.getCause()));
            }
        }
    }

    void keep(String kind, GuestStart start) {
        if (start.clean()) {
            clean.getOrDefault(kind, new ArrayList<>()).add(start);
            return;
        }
        failures.merge(kind, 1, Integer::sum);
        out.printf("%s: a start failed: %s%n", kind, start.complaint());
        out.flush();
    }

    private void progress(int done) {
        if (done > 0 && done / PROGRESS_EVERY != (done + sideBySide) / PROGRESS_EVERY) {
            out.printf("%d starts, %d failed%n", done + sideBySide, failed());
            out.flush();
        }
    }

    private void report(String kind) {
        List<GuestStart> all = starts(kind);
        out.printf("%n%s%n", title(kind));
        if (all.isEmpty()) {
            return;
        }
        out.println("stage         median   share     least       p99      most   processor");
        double whole = figures(all, GuestStart::whole).median;
        for (String stage : stages(all)) {
            row(stage, figures(all, each -> each.stages().getOrDefault(stage, 0.0)), whole, processor(all, stage));
        }
        Figures processor = figures(all, GuestStart::processorUntilStarted);
        row("until started", figures(all, GuestStart::untilStarted), whole, processor.median);
        row("whole", figures(all, GuestStart::whole), whole, Double.NaN);
        out.flush();
    }

    private String title(String kind) {
        List<GuestStart> all = starts(kind);
        String kernel = all.isEmpty() ? "" : ", kernel " + all.get(0).kernel();
        return "%s%s: %d clean, %d failed"
                .formatted(NAMES.getOrDefault(kind, kind), kernel, all.size(), failures.getOrDefault(kind, 0));
    }

    private List<GuestStart> starts(String kind) {
        return clean.getOrDefault(kind, List.of());
    }

    private static Set<String> stages(List<GuestStart> all) {
        Set<String> names = new LinkedHashSet<>();
        all.forEach(each -> names.addAll(each.stages().keySet()));
        return names;
    }

    private static double processor(List<GuestStart> all, String stage) {
        return figures(all, each -> each.processors().getOrDefault(stage, 0.0)).median;
    }

    private void row(String name, Figures millis, double whole, double processor) {
        out.printf(
                Locale.ROOT,
                "%-13s %6.0f  %5.1f %% %8.0f  %8.0f  %8.0f    %8s%n",
                name,
                millis.median,
                100 * millis.median / whole,
                millis.least,
                millis.p99,
                millis.most,
                Double.isNaN(processor) ? "" : String.format(Locale.ROOT, "%.0f", processor));
    }

    private void reportRatios() {
        ratio("testbed_started", GuestStart::untilStarted);
        ratio("testbed_whole", GuestStart::whole);
        ratio("testbed_processor", GuestStart::processorUntilStarted);
        out.flush();
    }

    private void ratio(String name, ToDoubleFunction<GuestStart> figure) {
        double ratio = ratio(figure);
        if (!Double.isNaN(ratio)) {
            out.printf(Locale.ROOT, "RATIO %s %.3f%n", name, ratio);
        }
    }

    /** User Mode Linux to QEMU; NaN if one of them was not measured. */
    private double ratio(ToDoubleFunction<GuestStart> figure) {
        List<GuestStart> uml = starts("uml");
        List<GuestStart> vm = starts("vm");
        return uml.isEmpty() || vm.isEmpty() ? Double.NaN : figures(uml, figure).median / figures(vm, figure).median;
    }

    private Map<String, Object> findings() {
        Map<String, Object> findings = new LinkedHashMap<>();
        findings.put("benchmark", "testbed");
        findings.put("starts", starts);
        findings.put("side_by_side", sideBySide);
        kinds.forEach(kind -> findings.put(kind, findings(kind)));
        findings.put("ratio_started", ratio(GuestStart::untilStarted));
        findings.put("ratio_whole", ratio(GuestStart::whole));
        findings.put("ratio_processor", ratio(GuestStart::processorUntilStarted));
        return findings;
    }

    private Map<String, Object> findings(String kind) {
        List<GuestStart> all = starts(kind);
        Map<String, Object> findings = new LinkedHashMap<>();
        findings.put("clean", all.size());
        findings.put("failed", failures.getOrDefault(kind, 0));
        if (!all.isEmpty()) {
            findings.put("kernel", all.get(0).kernel());
            findings.put(
                    "until_started_ms", figures(all, GuestStart::untilStarted).fields());
            findings.put("whole_ms", figures(all, GuestStart::whole).fields());
            findings.put(
                    "processor_until_started_ms",
                    figures(all, GuestStart::processorUntilStarted).fields());
            Map<String, Object> stages = new LinkedHashMap<>();
            for (String stage : stages(all)) {
                Figures figures = figures(all, each -> each.stages().getOrDefault(stage, 0.0));
                Map<String, Object> fields = figures.fields();
                fields.put("processor", processor(all, stage));
                stages.put(stage, fields);
            }
            findings.put("stages_ms", stages);
        }
        return findings;
    }

    private static Figures figures(List<GuestStart> all, ToDoubleFunction<GuestStart> figure) {
        double[] sorted = all.stream().mapToDouble(figure).sorted().toArray();
        int last = sorted.length - 1;
        return new Figures(sorted[sorted.length / 2], sorted[0], sorted[(int) Math.ceil(last * P99)], sorted[last]);
    }

    private record Figures(double median, double least, double p99, double most) {
        Map<String, Object> fields() {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("median", median);
            fields.put("least", least);
            fields.put("p99", p99);
            fields.put("most", most);
            return fields;
        }
    }
}
