// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many calls an operation may make: a line for each operation and call, with a number, or with the least and the greatest
 * where time decides, such as whether a thread sleeps before the answer is there.
 */
final class CallTable {
    /** A collection of garbage or a compilation adds a call now and then. */
    private static final double NOISE = 0.05;

    private final Map<String, Map<String, Limits>> operations;

    private CallTable(Map<String, Map<String, Limits>> operations) {
        this.operations = operations;
    }

    private record Limits(double least, double greatest) {
        static Limits of(String text) {
            String[] both = text.split("-", -1);
            return new Limits(Double.parseDouble(both[0]), Double.parseDouble(both[both.length - 1]));
        }

        boolean allow(double count) {
            return count > least - NOISE && count < greatest + NOISE;
        }

        @Override
        public String toString() {
            return least == greatest ? text(least) : text(least) + " to " + text(greatest);
        }
    }

    /** Reads lines of an operation, a count, and the name of a call, which may have spaces. */
    static CallTable parse(String text) {
        Map<String, Map<String, Limits>> operations = new TreeMap<>();
        text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).forEach(line -> {
            String[] columns = line.split(" +", 3);
            operations.computeIfAbsent(columns[0], each -> new TreeMap<>()).put(columns[2], Limits.of(columns[1]));
        });
        return new CallTable(operations);
    }

    boolean has(String operation) {
        return operations.containsKey(operation);
    }

    /** Compares what {@link CountedOperations} has printed for an operation; a line for each difference. */
    List<String> differences(String operation, String printed) {
        Map<String, Limits> missing = new TreeMap<>(operations.getOrDefault(operation, Map.of()));
        List<String> differences = new ArrayList<>();
        printed.lines()
                .map(line -> line.split("\t"))
                .filter(columns -> columns.length == 3 && columns[0].equals(operation))
                .forEach(columns -> {
                    double count = Double.parseDouble(columns[2]);
                    Limits limits = missing.containsKey(columns[1]) ? missing.remove(columns[1]) : new Limits(0, 0);
                    if (!limits.allow(count)) {
                        differences.add(operation + " " + text(count) + " " + columns[1] + ", the table has " + limits);
                    }
                });
        missing.forEach((call, limits) -> {
            if (!limits.allow(0)) {
                differences.add(operation + " 0 " + call + ", the table has " + limits);
            }
        });
        return differences;
    }

    private static String text(double count) {
        return String.format(Locale.ROOT, "%.2f", count);
    }
}
