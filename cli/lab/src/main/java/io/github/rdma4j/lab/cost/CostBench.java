// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.cost;

import io.github.rdma4j.cli.run.Json;
import io.github.rdma4j.lab.mlx5.vectors.CProgram;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * {@code ./rdma4j bench cost}: what posting, polling and a command of the connection manager cost in user space, in Java and with
 * librxe, libibverbs and librdmacm, in turns. Both call the same kernel, which is a library in C and answers at once.
 */
public final class CostBench {
    private static final String BYTES = "bytes";

    private final PrintStream out;
    private final Pace pace;

    /** By benchmark, the median of each turn in nanoseconds. */
    private final Map<String, List<Double>> c = new LinkedHashMap<>();

    private final Map<String, List<Double>> java = new LinkedHashMap<>();

    /** By benchmark, the most that an operation has allocated in Java. */
    private final Map<String, Double> allocated = new LinkedHashMap<>();

    /** By benchmark, the nanoseconds by number of objects. */
    private Map<String, Map<Integer, Double>> growth = Map.of();

    /**
     * How long everything takes.
     *
     * @param turns of the program in C and the program in Java
     * @param iterations of each benchmark in a turn
     * @param milliseconds of an iteration
     * @param warmUps batches that Java runs before it measures
     */
    record Pace(int turns, int iterations, int milliseconds, int warmUps) {
        static final Pace USUAL = new Pace(5, 5, 40, 3_000);
    }

    CostBench(PrintStream out, Pace pace) {
        this.out = out;
        this.pace = pace;
    }

    /** Takes {@code --json} or nothing. */
    public static void main(String... arguments) throws IOException, InterruptedException {
        boolean json = List.of(arguments).equals(List.of("--json"));
        if (arguments.length > 0 && !json) {
            System.err.println("rdma4j: bench cost takes --json or nothing");
            System.exit(2);
        }
        PrintStream text = json ? new PrintStream(PrintStream.nullOutputStream()) : System.out;
        CostBench bench = new CostBench(text, Pace.USUAL);
        bench.run();
        if (json) {
            System.out.println(Json.text(bench.results()));
        }
    }

    void run() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("rdma4j-cost");
        try {
            CostPrograms programs = CostPrograms.build(directory);
            out.printf(
                    "nanoseconds for one work request, completion, empty poll or command: medians of batches of %d;"
                            + " %d turns of C and Java with %d iterations of %d ms%n",
                    CostObjects.BATCH, pace.turns(), pace.iterations(), pace.milliseconds());
            for (int turn = 0; turn < pace.turns(); turn++) {
                programs.measureC(pace.milliseconds(), pace.iterations()).forEach(line -> take(line, c));
                programs.measureJava(pace.milliseconds(), pace.iterations(), pace.warmUps())
                        .forEach(line -> take(line, java));
                out.printf("turn %d of %d%n", turn + 1, pace.turns());
            }
            growth = new CostGrowth(pace).measure();
            report();
            reportGrowth();
        } finally {
            CProgram.delete(directory);
        }
    }

    private void take(String line, Map<String, List<Double>> to) {
        String[] words = line.split(" ", -1);
        if (words[0].equals(BYTES)) {
            allocated.merge(words[1], Double.valueOf(words[2]), Math::max);
        } else {
            List<Double> iterations =
                    Arrays.stream(words).skip(1).map(Double::valueOf).toList();
            to.computeIfAbsent(words[0], none -> new ArrayList<>()).add(median(iterations));
        }
    }

    private void report() {
        out.printf("%-22s %8s %8s %8s %15s %8s%n", "", "C", "Java", "ratio", "of the turns", "bytes");
        for (String name : c.keySet()) {
            List<Double> ratios = ratios(name);
            out.printf(
                    Locale.ROOT,
                    "%-22s %8.2f %8.2f %8.3f %7.3f-%7.3f %8.0f%n",
                    name,
                    median(turns(c, name)),
                    median(turns(java, name)),
                    median(ratios),
                    Collections.min(ratios),
                    Collections.max(ratios),
                    allocated.get(name));
        }
        for (String name : c.keySet()) {
            out.printf(Locale.ROOT, "RATIO cost_%s %.3f%n", name, median(ratios(name)));
        }
        out.printf(Locale.ROOT, "RATIO cost_data_path_bytes_per_op %.3f%n", dataPathBytes());
    }

    private void reportGrowth() {
        out.println("nanoseconds in Java by the queue pairs on a completion queue, and by the ids on a channel");
        growth.forEach((name, nanos) -> {
            out.printf("%-22s", name);
            nanos.forEach((count, value) -> out.printf(Locale.ROOT, " %8d: %8.1f", count, value));
            out.println();
        });
        growth.forEach((name, nanos) -> out.printf(Locale.ROOT, "RATIO growth_%s %.3f%n", name, growth(nanos)));
    }

    /** With the most objects to with the least. */
    private static double growth(Map<Integer, Double> nanos) {
        int least = Collections.min(nanos.keySet());
        int most = Collections.max(nanos.keySet());
        return nanos.getOrDefault(most, Double.NaN) / nanos.getOrDefault(least, Double.NaN);
    }

    /** What operations cost by number of objects. */
    Map<String, Map<Integer, Double>> growth() {
        return growth;
    }

    /** The figures of each benchmark, as {@code --json} prints them. */
    Map<String, Object> results() {
        Map<String, Object> all = new LinkedHashMap<>();
        for (String name : c.keySet()) {
            List<Double> ratios = ratios(name);
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("c_ns", median(turns(c, name)));
            one.put("java_ns", median(turns(java, name)));
            one.put("ratio", median(ratios));
            one.put("ratio_least", Collections.min(ratios));
            one.put("ratio_most", Collections.max(ratios));
            one.put("java_bytes", allocated.get(name));
            all.put(name, one);
        }
        growth.forEach((name, nanos) -> all.put("growth_" + name, Map.of("java_ns", nanos, "ratio", growth(nanos))));
        return all;
    }

    /** What an operation of the data path has allocated at most. */
    double dataPathBytes() {
        return allocated.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("po"))
                .mapToDouble(Map.Entry::getValue)
                .max()
                .orElseThrow();
    }

    /** Of each turn, so that what slows both sides down for a while does not count. */
    private List<Double> ratios(String name) {
        List<Double> of = turns(java, name);
        List<Double> to = turns(c, name);
        List<Double> ratios = new ArrayList<>();
        for (int turn = 0; turn < of.size(); turn++) {
            ratios.add(of.get(turn) / to.get(turn));
        }
        return ratios;
    }

    private static List<Double> turns(Map<String, List<Double>> of, String name) {
        return Objects.requireNonNull(of.get(name), name);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }
}
