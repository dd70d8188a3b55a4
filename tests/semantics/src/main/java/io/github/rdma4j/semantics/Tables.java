// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The committed tables of all kernels, side by side. */
final class Tables {
    /** The kernels that were measured, the oldest first. */
    static final List<String> SERIES = List.of("6.1", "6.12", "7.2");

    private final Map<String, Table> tables = new LinkedHashMap<>();

    Tables() {
        SERIES.forEach(series -> tables.put(series, Table.committed(series)));
    }

    Map<String, Table> bySeries() {
        return tables;
    }

    /** What came of the command on each kernel, as short texts: series to text. */
    private Map<String, String> outcomes(Situation situation, Command command) {
        Map<String, String> outcomes = new LinkedHashMap<>();
        tables.forEach((series, table) -> {
            List<Observation> control = table.at(situation, Command.NONE);
            outcomes.put(
                    series,
                    table.at(situation, command).stream()
                            .map(observation -> text(observation, control))
                            .distinct()
                            .collect(Collectors.joining(" or ")));
        });
        return outcomes;
    }

    /** Whether the kernels differ in what came of the command. */
    boolean differ(Situation situation, Command command) {
        return Map.copyOf(outcomes(situation, command)).values().stream()
                        .distinct()
                        .count()
                > 1;
    }

    /** Whether not every recording on one and the same kernel saw the same. */
    boolean varies(Situation situation, Command command) {
        return tables.values().stream()
                .anyMatch(table -> table.at(situation, command).size() > 1);
    }

    /** The outcome if the kernels agree, otherwise which kernels have which. */
    String outcome(Situation situation, Command command) {
        Map<String, List<String>> kernels = new LinkedHashMap<>();
        outcomes(situation, command)
                .forEach((series, text) ->
                        kernels.computeIfAbsent(text, key -> new ArrayList<>()).add(series));
        if (kernels.size() == 1) {
            return kernels.keySet().iterator().next();
        }
        return kernels.entrySet().stream()
                .map(entry -> "**" + String.join(", ", entry.getValue()) + ":** " + entry.getKey())
                .collect(Collectors.joining(" · "));
    }

    /** The result, and those events that would not have come without the command. */
    private static String text(Observation observation, List<Observation> control) {
        StringBuilder text = new StringBuilder(observation.result());
        append(
                text,
                "",
                observation.events(),
                control.stream().map(Observation::events).toList());
        append(
                text,
                "peer ",
                observation.peer(),
                control.stream().map(Observation::peer).toList());
        append(
                text,
                "later ",
                observation.later(),
                control.stream().map(Observation::later).toList());
        return text.toString();
    }

    private static void append(StringBuilder text, String who, String events, List<String> control) {
        if (!control.contains(events)) {
            text.append(", ").append(who).append(events.equals(Observation.NONE) ? "no events" : events);
        }
    }
}
