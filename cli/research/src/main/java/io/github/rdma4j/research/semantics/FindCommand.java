// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.research.semantics.behaviour.Behaviour;
import io.github.rdma4j.research.semantics.behaviour.BehaviourTable;
import io.github.rdma4j.research.semantics.behaviour.Behaviours;
import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Situation;
import io.github.rdma4j.research.semantics.situation.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** {@code semantics find}: searches all that was recorded and noted. */
@CommandLine.Command(
        name = "find",
        description = "Searches situations, commands, events, behaviours, notes and outcomes for a text.",
        footer = {
            "",
            "Case does not count, and a result has to contain every word of TEXT. Exit status 1 if there is none.",
            "",
            "Examples:",
            "  ./rdma4j semantics find migrate         what there is about MIGRATE_ID",
            "  ./rdma4j semantics find private data    behaviours and events that say something about it",
            "  ./rdma4j semantics find 'REJECTED(28)'  where an id is told so"
        })
final class FindCommand extends TableCommand {
    @Parameters(arity = "1..*", paramLabel = "TEXT", description = "One or several words.")
    private List<String> words = new ArrayList<>();

    private boolean hasFound;

    @Override
    public Integer call() {
        words.replaceAll(word -> word.toLowerCase(Locale.ROOT));
        Tables tables = read();
        print("Situations", situations());
        print("Commands", commands());
        print("Events", events(tables));
        print("Behaviours", behaviours(tables));
        print("Notes", notes());
        print("Outcomes", outcomes(tables));
        out().flush();
        if (!hasFound) {
            err().println("semantics: nothing contains " + String.join(" and ", words));
        }
        return hasFound ? 0 : 1;
    }

    private void print(String head, Stream<String> lines) {
        List<String> found = lines.filter(this::holds).toList();
        if (!found.isEmpty()) {
            hasFound = true;
            out().println(head + ":");
            found.forEach(line -> out().println(Layout.paragraph("  ", "    ", List.of(line.split(" ", -1)))));
        }
    }

    private boolean holds(String line) {
        String lower = line.toLowerCase(Locale.ROOT);
        return words.stream().allMatch(lower::contains);
    }

    private static Stream<String> situations() {
        return Stream.of(Situation.values()).map(situation -> situation + ": " + situation.title());
    }

    private static Stream<String> commands() {
        return Command.given().stream().map(Command::name);
    }

    private static Stream<String> events(Tables tables) {
        return Event.all().stream()
                .map(event -> event.name() + ": from " + event.sender() + "; private data: " + event.privateData()
                        + "; parameters: " + event.parameters() + "; status "
                        + String.join(
                                ", ",
                                event.statuses(tables).keySet().stream()
                                        .map(event::meaning)
                                        .toList()));
    }

    private static Stream<String> behaviours(Tables tables) {
        BehaviourTable table = new BehaviourTable(tables.bySeries());
        return Behaviours.all().stream().map(behaviour -> text(table, behaviour));
    }

    private static String text(BehaviourTable table, Behaviour behaviour) {
        List<String> cells = table.cells(behaviour);
        return behaviour.key() + ": " + behaviour.title() + ": " + cells.get(3).replace("<br>", "; ")
                + (cells.get(3).startsWith(BehaviourTable.AS_PREDICTED) ? ": " + cells.get(2) : "");
    }

    /** What one would think of a cell, and where the library does not follow the kernel. */
    private static Stream<String> notes() {
        return Stream.concat(
                Table.resource("unexpected.tsv")
                        .map(columns -> columns.get(0) + " " + columns.get(1) + ": one would think: " + columns.get(2)),
                Table.resource("deviations.tsv")
                        .map(columns -> columns.get(1) + " in " + columns.get(2) + ": " + columns.get(3)));
    }

    /** Each outcome of a command, with the situations in which it has it. */
    private static Stream<String> outcomes(Tables tables) {
        Map<String, List<String>> situations = new LinkedHashMap<>();
        for (Command command : Command.given()) {
            for (Situation situation : Situation.values()) {
                tables.kernelsByOutcome(situation, command)
                        .forEach((outcome, series) -> situations
                                .computeIfAbsent(
                                        command + ": " + outcome + " on " + String.join(", ", series) + " in ",
                                        key -> new ArrayList<>())
                                .add(situation.name()));
            }
        }
        return situations.entrySet().stream().map(entry -> entry.getKey() + some(entry.getValue()));
    }

    private static String some(List<String> names) {
        int shown = 6;
        return names.size() <= shown
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, shown)) + " and " + (names.size() - shown) + " more";
    }
}
