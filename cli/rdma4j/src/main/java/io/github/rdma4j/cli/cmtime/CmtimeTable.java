// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the table that {@code cmtime(1)} and this program print: microseconds per connection by step. */
public final class CmtimeTable {
    /** The steps that set up a connection. */
    public static final Set<Step> SET_UP = Set.copyOf(EnumSet.range(Step.CREATE_ID, Step.CONNECT));

    /** Step, total ms, max ms, min µs, µs per connection. */
    private static final Pattern ROW =
            Pattern.compile("([a-z ]+?) *: +[0-9.]+ +[0-9.]+ +[0-9.]+ +([0-9.]+)", Pattern.MULTILINE);

    private CmtimeTable() {}

    /** The microseconds per connection of each step in {@code output}. */
    public static Map<Step, Double> parse(String output) {
        Map<Step, Double> micros = new EnumMap<>(Step.class);
        output.lines().forEach(line -> {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                Optional<Step> step = Step.of(row.group(1));
                step.ifPresent(known -> micros.put(known, Double.valueOf(row.group(2))));
            }
        });
        return micros;
    }

    /** The microseconds per connection of all steps together. */
    public static double sum(Map<Step, Double> micros) {
        return sum(micros, micros.keySet());
    }

    /** The microseconds per connection of {@code steps} together. */
    public static double sum(Map<Step, Double> micros, Set<Step> steps) {
        return steps.stream()
                .mapToDouble(step -> micros.getOrDefault(step, 0.0))
                .sum();
    }
}
