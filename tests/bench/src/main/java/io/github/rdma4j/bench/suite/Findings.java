// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results of a run of the suite, in the order of the plans. */
final class Findings {
    private final Map<Guest, Machine> machines = new EnumMap<>(Guest.class);
    private final List<Result> results = new ArrayList<>();

    /**
     * By bench and guest, the bytes that an operation allocated, in the turn with the lowest figure. An operation
     * allocates the same bytes in each turn; a single allocation in a turn is the JVM's.
     */
    private final Map<String, Double> bytes = new LinkedHashMap<>();

    private final Map<String, String> notes = new LinkedHashMap<>();
    private final Map<String, String> failures = new LinkedHashMap<>();
    private final Map<String, String> leftOut = new LinkedHashMap<>();

    /** Reads the file that {@link Recorder} wrote in one guest. */
    void read(Path file, Guest guest, List<BenchPlan> plans) throws IOException {
        Map<String, Map<Bench.Side, List<Double>>> figures = new LinkedHashMap<>();
        Map<String, String> names = names(guest, plans);
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            List<String> words = Recorder.words(line);
            String name = names.getOrDefault(words.get(1), words.get(1));
            switch (words.get(0)) {
                case Recorder.MACHINE -> machines.put(guest, Machine.ofFields(words.subList(1, words.size())));
                case Recorder.FIGURE ->
                    figures.computeIfAbsent(words.get(1), none -> new EnumMap<>(Bench.Side.class))
                            .computeIfAbsent(Bench.Side.valueOf(words.get(2)), none -> new ArrayList<>())
                            .add(Double.valueOf(words.get(3)));
                case Recorder.BYTES -> bytes.merge(name, Double.valueOf(words.get(2)), Math::min);
                case Recorder.NOTE -> notes.put(name, words.get(2));
                case Recorder.FAILURE -> failures.put(name, words.get(2));
                case Recorder.LEFT_OUT -> leftOut.put(name, words.get(2));
                default -> throw new IOException("the results of a guest have the line '" + line + "'");
            }
        }
        for (BenchPlan plan : plans) {
            plan.rows().forEach(row -> add(row, plan.suffix(guest), guest, figures.getOrDefault(row.name(), Map.of())));
        }
    }

    /** The names of the benches in {@code guest}. */
    private static Map<String, String> names(Guest guest, List<BenchPlan> plans) {
        Map<String, String> names = new LinkedHashMap<>();
        plans.forEach(plan -> names.put(plan.name(), plan.name() + plan.suffix(guest)));
        return names;
    }

    /**
     * A turn that was interrupted has a figure of C only, which is not used; where there is nothing in C, all turns have a
     * figure of Java only.
     */
    private void add(Row row, String suffix, Guest guest, Map<Bench.Side, List<Double>> of) {
        List<Double> c = of.getOrDefault(Bench.Side.C, List.of());
        List<Double> java = of.getOrDefault(Bench.Side.JAVA, List.of());
        int turns = c.isEmpty() ? java.size() : Math.min(c.size(), java.size());
        if (turns > 0) {
            add(new Result(
                    row.name() + suffix, row, guest, c.subList(0, Math.min(c.size(), turns)), java.subList(0, turns)));
        }
    }

    void add(Result result) {
        results.add(result);
    }

    void add(Guest guest, Machine machine) {
        machines.put(guest, machine);
    }

    Map<Guest, Machine> machines() {
        return machines;
    }

    List<Result> results() {
        return results;
    }

    Map<String, Double> bytes() {
        return bytes;
    }

    Map<String, String> notes() {
        return notes;
    }

    Map<String, String> failures() {
        return failures;
    }

    Map<String, String> leftOut() {
        return leftOut;
    }
}
