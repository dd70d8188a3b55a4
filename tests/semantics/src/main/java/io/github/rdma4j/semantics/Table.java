// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics;

import io.github.rdma4j.kernel.Errno;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What was observed on one kernel: for each situation and command one observation, or several where not every recording
 * saw the same.
 *
 * <p>As text: a line for each observation, situation, command, result, events, events of the peer and what came later
 * separated by tabulators, in the order of the enums; lines that begin with # say where it comes from.
 */
final class Table {
    private static final String RELEASE = "# kernel ";
    private static final int COLUMNS = 6;

    private final String release;
    private final Map<Situation, Map<Command, SortedSet<Observation>>> cells = new EnumMap<>(Situation.class);

    Table(String release) {
        this.release = release;
    }

    /** The release of the kernel, as uname(2) tells it. */
    String release() {
        return release;
    }

    /** The part of a release that tables are named after: {@code 6.1}. */
    static String series(String release) {
        String[] numbers = release.split("[.-]", 3);
        return numbers[0] + "." + numbers[1];
    }

    void add(Situation situation, Command command, Observation observation) {
        cells.computeIfAbsent(situation, key -> new EnumMap<>(Command.class))
                .computeIfAbsent(command, key -> new TreeSet<>())
                .add(observation);
    }

    void addAll(Table other) {
        other.cells.forEach((situation, row) -> row.forEach(
                (command, observations) -> observations.forEach(observation -> add(situation, command, observation))));
    }

    /** All that was observed; nothing for a situation that was not recorded. */
    List<Observation> at(Situation situation, Command command) {
        return List.copyOf(cells.getOrDefault(situation, Map.of()).getOrDefault(command, new TreeSet<>()));
    }

    /** Whether the kernel has the command: one that it has looks for the id first. */
    boolean knows(Command command) {
        return at(Situation.NEVER_CREATED, command).stream()
                .noneMatch(observation -> observation.result().equals(Errno.EINVAL.name()));
    }

    List<Situation> situations() {
        return List.copyOf(cells.keySet());
    }

    List<String> toLines() {
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
        return lines;
    }

    static Table parse(List<String> lines) {
        Table table = new Table(lines.get(0).substring(RELEASE.length()));
        for (String line : lines) {
            if (!line.startsWith("#")) {
                String[] columns = line.split("\t", COLUMNS);
                table.add(
                        Situation.valueOf(columns[0]),
                        Command.valueOf(columns[1]),
                        new Observation(columns[2], columns[3], columns[4], columns[5]));
            }
        }
        return table;
    }

    /** The committed table of a series of kernels. */
    static Table committed(String series) {
        String name = "/semantics/kernel-" + series + ".tsv";
        try (InputStream in = Table.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new AssertionError("no table " + name + ": record one, see docs/cm-semantics.md");
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
