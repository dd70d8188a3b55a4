// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

import io.github.rdma4j.bench.turns.Spread;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** The figures of two programs that took turns, by benchmark. The first program may be missing. */
final class CostTurns {
    private static final String BYTES = "bytes";

    private final String prefix;
    private final String first;
    private final String second;

    /** By benchmark, the median of each turn in nanoseconds. */
    private final Map<String, List<Double>> ofFirst = new LinkedHashMap<>();

    private final Map<String, List<Double>> ofSecond = new LinkedHashMap<>();

    /** By benchmark, the most that an operation of the second program has allocated. */
    private final Map<String, Double> allocated = new LinkedHashMap<>();

    /** The names of the programs, for the table, and what the names of ratios begin with. */
    CostTurns(String prefix, String first, String second) {
        this.prefix = prefix;
        this.first = first;
        this.second = second;
    }

    void takeFirst(List<String> lines) {
        lines.stream().filter(line -> !line.startsWith(BYTES)).forEach(line -> take(line, ofFirst));
    }

    void takeSecond(List<String> lines) {
        for (String line : lines) {
            if (line.startsWith(BYTES)) {
                String[] words = line.split(" ", -1);
                allocated.merge(words[1], Double.valueOf(words[2]), Math::max);
            } else {
                take(line, ofSecond);
            }
        }
    }

    private static void take(String line, Map<String, List<Double>> to) {
        String[] words = line.split(" ", -1);
        List<Double> iterations =
                Arrays.stream(words).skip(1).map(Double::valueOf).toList();
        to.computeIfAbsent(words[0], none -> new ArrayList<>())
                .add(Spread.of(iterations).median());
    }

    private boolean hasFirst() {
        return !ofFirst.isEmpty();
    }

    void report(PrintStream out) {
        if (!hasFirst()) {
            out.printf("%-22s %8s %8s%n", "", second, "bytes");
            ofSecond.keySet()
                    .forEach(name -> out.printf(
                            Locale.ROOT, "%-22s %8.2f %8.0f%n", name, median(ofSecond, name), allocated.get(name)));
            return;
        }
        out.printf("%-22s %8s %8s %8s %15s %8s%n", "", first, second, "ratio", "of the turns", "bytes");
        for (String name : ofSecond.keySet()) {
            Spread ratios = ratios(List.of(name));
            out.printf(
                    Locale.ROOT,
                    "%-22s %8.2f %8.2f %8.3f %7.3f-%7.3f %8.0f%n",
                    name,
                    median(ofFirst, name),
                    median(ofSecond, name),
                    ratios.median(),
                    ratios.least(),
                    ratios.most(),
                    allocated.get(name));
        }
        for (String name : ofSecond.keySet()) {
            reportRatio(out, name, List.of(name));
        }
    }

    /** Of the sum of the benchmarks {@code of}; nothing without the first program. */
    void reportRatio(PrintStream out, String name, List<String> of) {
        if (hasFirst()) {
            out.printf(
                    Locale.ROOT, "RATIO %s%s %.3f%n", prefix, name, ratios(of).median());
        }
    }

    /** The figures of each benchmark, as {@code --json} prints them. */
    Map<String, Object> results() {
        Map<String, Object> all = new LinkedHashMap<>();
        for (String name : ofSecond.keySet()) {
            Map<String, Object> one = new LinkedHashMap<>();
            if (hasFirst()) {
                Spread ratios = ratios(List.of(name));
                one.put(first.toLowerCase(Locale.ROOT) + "_ns", median(ofFirst, name));
                one.put("ratio", ratios.median());
                one.put("ratio_least", ratios.least());
                one.put("ratio_most", ratios.most());
            }
            one.put("java_ns", median(ofSecond, name));
            one.put("java_bytes", allocated.get(name));
            all.put(name, one);
        }
        return all;
    }

    /** What an operation of the benchmarks whose names begin so has allocated at most, without those of {@code except}. */
    double bytes(String begin, List<String> except) {
        return allocated.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(begin) && !except.contains(entry.getKey()))
                .mapToDouble(Map.Entry::getValue)
                .max()
                .orElseThrow();
    }

    /** Of the sums of some benchmarks. */
    private Spread ratios(List<String> names) {
        return Spread.ofRatios(sums(ofSecond, names), sums(ofFirst, names));
    }

    /** By turn. */
    private static List<Double> sums(Map<String, List<Double>> of, List<String> names) {
        return IntStream.range(0, turns(of, names.get(0)).size())
                .mapToObj(turn -> names.stream()
                        .mapToDouble(name -> turns(of, name).get(turn))
                        .sum())
                .toList();
    }

    private static List<Double> turns(Map<String, List<Double>> of, String name) {
        return Objects.requireNonNull(of.get(name), name);
    }

    private static double median(Map<String, List<Double>> of, String name) {
        return Spread.of(turns(of, name)).median();
    }
}
