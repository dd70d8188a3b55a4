// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.research.semantics.kernel.KernelSeries;
import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Observation;
import io.github.rdma4j.research.semantics.situation.Situation;
import io.github.rdma4j.research.semantics.situation.Table;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The tables of several kernels, side by side, the oldest kernel first. */
public final class Tables {
    /** The kernels whose tables are among the resources of this module. */
    public static final List<String> COMMITTED = List.of("6.1", "6.12", "7.2", "7.2-ib");

    private static final String PREFIX = "kernel-";
    private static final String SUFFIX = ".tsv";

    private final SortedMap<String, Table> tables;

    /** What has been put into words already: pages ask for each cell many times. */
    private final Map<Situation, Map<Command, Map<String, String>>> outcomes = new EnumMap<>(Situation.class);

    private Tables() {
        this(new TreeMap<>(KernelSeries::compare));
    }

    private Tables(SortedMap<String, Table> tables) {
        this.tables = tables;
    }

    /** The committed tables. */
    public static Tables committed() {
        Tables committed = new Tables();
        COMMITTED.forEach(
                series -> committed.tables.put(series, Table.parse(Table.resourceLines(PREFIX + series + SUFFIX))));
        return committed;
    }

    /** The tables of kernels on RoCE. */
    public Tables onRoce() {
        return of(series().stream()
                .filter(series -> !KernelSeries.isInfiniBand(series))
                .toList());
    }

    /** The tables of kernels that were recorded on InfiniBand, and of the same kernels on RoCE. */
    Tables onBothLinks() {
        return of(series().stream()
                .filter(series ->
                        KernelSeries.isInfiniBand(series) || tables.containsKey(KernelSeries.onInfiniBand(series)))
                .toList());
    }

    /** These tables and those in a directory; of a kernel that both have, the table in the directory. */
    Tables with(Path directory) throws IOException {
        Tables all = new Tables();
        all.tables.putAll(tables);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "*" + SUFFIX)) {
            for (Path file : files) {
                Table table = Table.parse(Files.readAllLines(file));
                all.tables.put(KernelSeries.of(table.release()), table);
            }
        }
        return all;
    }

    /** The tables of these kernels only. */
    Tables of(Collection<String> series) {
        Tables some = new Tables();
        series.forEach(name -> some.tables.put(name, tables.get(name)));
        return some;
    }

    /** Two tables by the names that the caller gives them, in this order. */
    static Tables ofTwo(String firstName, Table first, String secondName, Table second) {
        Tables two = new Tables(new TreeMap<>(Comparator.comparing(name -> name.equals(secondName))));
        two.tables.put(firstName, first);
        two.tables.put(secondName, second);
        return two;
    }

    /** The file of a kernel's table in a directory. */
    static Path file(Path directory, String series) {
        return directory.resolve(PREFIX + series + SUFFIX);
    }

    /** The tables by their series. */
    public SortedMap<String, Table> bySeries() {
        return tables;
    }

    /** The series, the oldest first. */
    List<String> series() {
        return List.copyOf(tables.keySet());
    }

    /** The outcome of the command on each kernel, as short texts: series to text. */
    Map<String, String> outcomes(Situation situation, Command command) {
        return outcomes.computeIfAbsent(situation, key -> new EnumMap<>(Command.class))
                .computeIfAbsent(command, key -> inWords(situation, command));
    }

    private Map<String, String> inWords(Situation situation, Command command) {
        Map<String, String> words = new LinkedHashMap<>();
        tables.forEach((series, table) -> {
            if (!situation.appliesTo(KernelSeries.of(table.release()))) {
                return;
            }
            List<Observation> control = table.at(situation, Command.NONE);
            String outcome = table.at(situation, command).stream()
                    .map(observation -> text(observation, control))
                    .distinct()
                    .collect(Collectors.joining(" or "));
            words.put(series, outcome.isEmpty() ? "not recorded" : outcome);
        });
        return Collections.unmodifiableMap(words);
    }

    /** The outcomes, each with the kernels that have it. */
    Map<String, List<String>> kernelsByOutcome(Situation situation, Command command) {
        Map<String, List<String>> kernels = new LinkedHashMap<>();
        outcomes(situation, command)
                .forEach((series, text) ->
                        kernels.computeIfAbsent(text, key -> new ArrayList<>()).add(series));
        return kernels;
    }

    /** Whether the outcomes of the command differ between the kernels. */
    boolean differ(Situation situation, Command command) {
        return kernelsByOutcome(situation, command).size() > 1;
    }

    /** Whether recordings on the same kernel differ. */
    boolean varies(Situation situation, Command command) {
        return tables.values().stream()
                .anyMatch(table -> table.at(situation, command).size() > 1);
    }

    /** The outcome if the kernels agree, otherwise which kernels have which; as Markdown. */
    String outcome(Situation situation, Command command) {
        Map<String, List<String>> kernels = kernelsByOutcome(situation, command);
        if (kernels.size() == 1) {
            return kernels.keySet().iterator().next();
        }
        return Layout.byKernels(kernels, " · ");
    }

    /** The events that come in a situation without a command; empty if none do. */
    String byItself(Situation situation) {
        return tables.values().stream()
                .flatMap(table -> table.at(situation, Command.NONE).stream())
                .map(observation -> events(observation, List.of(Observation.EVENTLESS)))
                .filter(events -> !events.isEmpty())
                .distinct()
                .collect(Collectors.joining(" or "));
    }

    /** The result, and those events that would not have come without the command. */
    private static String text(Observation observation, List<Observation> control) {
        String events = events(observation, control);
        return events.isEmpty() ? observation.result() : observation.result() + ", " + events;
    }

    private static String events(Observation observation, List<Observation> control) {
        List<String> parts = new ArrayList<>();
        if (control.stream().noneMatch(other -> other.events().equals(observation.events()))) {
            parts.add(words(observation.events()));
        }
        if (control.stream().noneMatch(other -> other.peer().equals(observation.peer()))) {
            parts.add("peer " + words(observation.peer()));
        }
        if (control.stream().noneMatch(other -> other.later().equals(observation.later()))) {
            parts.add("later " + words(observation.later()));
        }
        return String.join(", ", parts);
    }

    private static String words(String events) {
        return events.equals(Observation.NONE) ? "no events" : events;
    }
}
