// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.research.semantics.behaviour.Behaviour;
import io.github.rdma4j.research.semantics.behaviour.Behaviours;
import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Observation;
import io.github.rdma4j.research.semantics.situation.Situation;
import io.github.rdma4j.research.semantics.situation.Table;
import io.github.rdma4j.research.trace.RejectReasons;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an event brings: from {@code semantics/events.tsv} who sends it and what it carries, and from the tables its
 * statuses and where it was seen.
 */
record Event(String name, String sender, String privateData, String parameters) {
    /** What the id at the other end gets, at once or later, in the text of an outcome. */
    private static final Pattern OF_PEER = Pattern.compile("(, | )peer .*?(?=, later |$)");

    private static final Map<String, Event> ALL = new LinkedHashMap<>();

    /** The name of each event in a text, with its status. */
    private static final Map<String, Pattern> PATTERNS = new HashMap<>();

    static {
        Map<String, List<String>> facts = new LinkedHashMap<>();
        Table.resource("events.tsv").forEach(columns -> facts.put(columns.get(0), columns));
        for (CmEventType type : EnumSet.complementOf(EnumSet.of(CmEventType.UNKNOWN))) {
            String name = type.name();
            List<String> columns = Objects.requireNonNull(facts.get(name), name);
            ALL.put(name, new Event(name, columns.get(1), columns.get(2), columns.get(3)));
            PATTERNS.put(name, Pattern.compile("\\b" + name + "\\b(?:\\((-?\\d+)\\))?"));
        }
    }

    /** All events, in the order of their numbers. */
    static List<Event> all() {
        return List.copyOf(ALL.values());
    }

    private Matcher matcher(String text) {
        return Objects.requireNonNull(PATTERNS.get(name)).matcher(text);
    }

    private boolean isIn(String text) {
        return text.contains(name) && matcher(text).find();
    }

    /** The statuses with which the event came, each with the kernels on which it did. */
    SortedMap<Integer, List<String>> statuses(Tables tables) {
        SortedMap<Integer, List<String>> statuses = new TreeMap<>();
        tables.bySeries().forEach((series, table) -> {
            Matcher found = matcher(recorded(table));
            while (found.find()) {
                int status = found.group(1) == null ? 0 : Integer.parseInt(found.group(1));
                List<String> kernels = statuses.computeIfAbsent(status, key -> new ArrayList<>());
                if (!kernels.contains(series)) {
                    kernels.add(series);
                }
            }
        });
        return statuses;
    }

    /** All events of all cells, and what the experiments saw. */
    private static String recorded(Table table) {
        StringBuilder text = new StringBuilder();
        for (Situation situation : table.situations()) {
            for (Command command : Command.values()) {
                for (Observation one : table.at(situation, command)) {
                    text.append(one.events()).append(' ').append(one.peer()).append(' ');
                    text.append(one.later()).append(' ');
                }
            }
        }
        table.behaviours()
                .forEach(key -> text.append(table.behaviour(key).orElse("")).append(' '));
        return text.toString();
    }

    /** The status, and what it means for this event. */
    String meaning(int status) {
        if (status == 0) {
            return "0";
        }
        if (status < 0) {
            return status + " (" + new Errno(-status).name() + ")";
        }
        return switch (name) {
            case "REJECTED" -> RejectReasons.text(status);
            case "UNREACHABLE" -> status + (status == 1 ? " (nobody listens)" : " (rejected)");
            default -> Integer.toString(status);
        };
    }

    /** The situations in which the event comes without a command. */
    List<Situation> bySituation(Tables tables) {
        return Stream.of(Situation.values())
                .filter(situation -> isIn(tables.byItself(situation)))
                .toList();
    }

    /** The commands that lead to the event for the id itself, each with the situations in which it does. */
    Map<Command, List<Situation>> forItself(Tables tables) {
        List<Situation> waiting = bySituation(tables);
        return places((situation, command) -> !waiting.contains(situation)
                && tables.outcomes(situation, command).values().stream()
                        .anyMatch(outcome -> isIn(OF_PEER.matcher(outcome).replaceAll(""))));
    }

    /** The commands that lead to the event for the id at the other end, each with the situations in which it does. */
    Map<Command, List<Situation>> forPeer(Tables tables) {
        return places((situation, command) -> tables.outcomes(situation, command).values().stream()
                .flatMap(outcome -> OF_PEER.matcher(outcome).results())
                .anyMatch(found -> isIn(found.group())));
    }

    private static Map<Command, List<Situation>> places(BiPredicate<Situation, Command> which) {
        Map<Command, List<Situation>> places = new LinkedHashMap<>();
        for (Command command : Command.given()) {
            List<Situation> situations = Stream.of(Situation.values())
                    .filter(situation -> which.test(situation, command))
                    .toList();
            if (!situations.isEmpty()) {
                places.put(command, situations);
            }
        }
        return places;
    }

    /** The behaviours in which the event was observed. */
    List<Behaviour> behaviours(Tables tables) {
        return Behaviours.all().stream()
                .filter(behaviour -> tables.bySeries().values().stream()
                        .anyMatch(table -> isIn(table.behaviour(behaviour.key()).orElse(""))))
                .toList();
    }

    /** All sections of a page, as Markdown; names of situations are links that {@code link} makes. */
    static String toMarkdown(Tables tables, Function<Situation, String> link) {
        return all().stream()
                .map(event -> "## " + event.name() + "\n\n"
                        + Layout.table(
                                List.of("", ""),
                                event.rows(tables, link).stream().map(List::<Object>copyOf)))
                .collect(Collectors.joining("\n"));
    }

    /** The section of the event, for a terminal. */
    String toText(Tables tables) {
        StringBuilder text = new StringBuilder(name);
        for (List<String> row : rows(tables, Situation::name)) {
            text.append(System.lineSeparator())
                    .append(Layout.paragraph(
                            String.format("  %-12s ", row.get(0)),
                            " ".repeat(15),
                            List.of(row.get(1).split(" ", -1))));
        }
        for (Behaviour behaviour : behaviours(tables)) {
            text.append(System.lineSeparator()).append(String.format("  %-5s %s", behaviour.key(), behaviour.title()));
        }
        return text.toString();
    }

    /** Names and values of what there is to say of the event. */
    List<List<String>> rows(Tables tables, Function<Situation, String> link) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("Sent by", sender));
        rows.add(List.of("Status", statusTexts(tables)));
        rows.add(List.of("Private data", privateData));
        rows.add(List.of("Parameters", parameters));
        rows.add(List.of("Waits in", bySituation(tables).stream().map(link).collect(Collectors.joining(", "))));
        rows.add(List.of("Follows", text(forItself(tables), link)));
        rows.add(List.of("At the peer", text(forPeer(tables), link)));
        rows.add(List.of(
                "Behaviours", behaviours(tables).stream().map(Behaviour::key).collect(Collectors.joining(", "))));
        rows.removeIf(row -> row.get(1).isEmpty());
        return rows;
    }

    private static String text(Map<Command, List<Situation>> places, Function<Situation, String> link) {
        return places.entrySet().stream()
                .map(entry -> entry.getKey() + " in "
                        + (entry.getValue().size() > 8
                                ? entry.getValue().size() + " situations"
                                : entry.getValue().stream().map(link).collect(Collectors.joining(", "))))
                .collect(Collectors.joining("; "));
    }

    private String statusTexts(Tables tables) {
        String texts = statuses(tables).entrySet().stream()
                .map(status -> meaning(status.getKey())
                        + (status.getValue().equals(tables.series())
                                ? ""
                                : " on " + String.join(" and ", status.getValue())))
                .collect(Collectors.joining(", "));
        return texts.isEmpty() ? "this event was not recorded" : texts;
    }
}
