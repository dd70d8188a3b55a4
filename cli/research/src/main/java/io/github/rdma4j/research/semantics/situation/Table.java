// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.situation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The observations on one kernel: for each situation and command one observation, or several if recordings differ; and
 * one text for each behaviour, by its key.
 *
 * <p>As text: a line for each observation with situation, command, result, events, events of the peer and what came
 * later, separated by tabulators, in the order of the enums; then a line for each behaviour with key and text. Lines
 * that begin with # say where the table comes from.
 */
public final class Table {
    private static final String RELEASE = "# kernel ";
    private static final int CELL_COLUMNS = 6;
    private static final int BEHAVIOUR_COLUMNS = 2;

    private final String release;
    private final Map<Situation, Map<Command, SortedSet<Observation>>> cells = new EnumMap<>(Situation.class);
    private final SortedMap<String, String> behaviours =
            new TreeMap<>(Comparator.<String>comparingInt(key -> key.charAt(0))
                    .thenComparingInt(key -> Integer.parseInt(key.substring(1))));

    /** An empty table of a kernel release. */
    public Table(String release) {
        this.release = release;
    }

    /** The release of the kernel, as uname(2) tells it. */
    public String release() {
        return release;
    }

    void add(Situation situation, Command command, Observation observation) {
        cells.computeIfAbsent(situation, key -> new EnumMap<>(Command.class))
                .computeIfAbsent(command, key -> new TreeSet<>())
                .add(observation);
    }

    /** Adds the observations of another recording on the same kernel. */
    public void addAll(Table other) {
        other.cells.forEach((situation, row) -> row.forEach(
                (command, observations) -> observations.forEach(observation -> add(situation, command, observation))));
        behaviours.putAll(other.behaviours);
    }

    /** A table of {@code newer} and, for the cells and behaviours that it does not have, of this table. */
    public Table updatedWith(Table newer) {
        Table all = new Table(newer.release);
        all.addAll(this);
        newer.cells.forEach((situation, row) -> row.keySet()
                .forEach(command -> all.cells.getOrDefault(situation, Map.of()).remove(command)));
        all.addAll(newer);
        return all;
    }

    /** All that was observed; nothing for a situation that was not recorded. */
    public List<Observation> at(Situation situation, Command command) {
        return List.copyOf(cells.getOrDefault(situation, Map.of()).getOrDefault(command, new TreeSet<>()));
    }

    /** The situations of which at least one cell was recorded. */
    public List<Situation> situations() {
        return List.copyOf(cells.keySet());
    }

    /** How many cells were recorded. */
    public int cellCount() {
        return cells.values().stream().mapToInt(Map::size).sum();
    }

    /** Sets the observation of a behaviour. */
    public void put(String behaviour, String observed) {
        behaviours.put(behaviour, observed);
    }

    /** The observation of a behaviour; empty if the behaviour was not recorded. */
    public Optional<String> behaviour(String key) {
        return Optional.ofNullable(behaviours.get(key));
    }

    /** The keys of the behaviours that were recorded. */
    public List<String> behaviours() {
        return List.copyOf(behaviours.keySet());
    }

    /** The lines of the table's file. */
    public List<String> toLines() {
        List<String> lines = new ArrayList<>();
        lines.add(RELEASE + release);
        lines.add("# situation\tcommand\tresult\tevents\tevents of the peer\tlater");
        cells.forEach((situation, row) ->
                row.forEach((command, observations) -> observations.forEach(observation -> lines.add(String.join(
                        "\t",
                        situation.name(),
                        command.name(),
                        observation.result(),
                        observation.events(),
                        observation.peer(),
                        observation.later())))));
        lines.add("# behaviour\tobserved");
        behaviours.forEach((key, text) -> lines.add(key + "\t" + text));
        return lines;
    }

    /** The columns of the lines of a table among the resources, without comments. */
    public static Stream<List<String>> resource(String name) {
        return resourceLines(name).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> List.of(line.split("\t", -1)));
    }

    /** All lines of a table among the resources. */
    public static List<String> resourceLines(String name) {
        try (InputStream in = Objects.requireNonNull(Table.class.getResourceAsStream("/semantics/" + name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The table of these lines. */
    public static Table parse(List<String> lines) {
        Table table = new Table(lines.get(0).substring(RELEASE.length()));
        for (String line : lines) {
            if (!line.startsWith("#")) {
                table.parseLine(line.split("\t", CELL_COLUMNS));
            }
        }
        return table;
    }

    private void parseLine(String[] columns) {
        if (columns.length == BEHAVIOUR_COLUMNS) {
            put(columns[0], columns[1]);
        } else {
            add(
                    Situation.valueOf(columns[0]),
                    Command.valueOf(columns[1]),
                    new Observation(columns[2], columns[3], columns[4], columns[5]));
        }
    }
}
