// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.research.semantics.behaviour.Behaviour;
import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Situation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A section for each event, in Markdown and for a terminal. */
final class EventsPage {
    private static final String NEVER = "this event was not recorded";

    private final Tables tables;

    EventsPage(Tables tables) {
        this.tables = tables;
    }

    /** All sections, as Markdown; names of situations are links that {@code link} makes. */
    String toMarkdown(Function<Situation, String> link) {
        return Event.all().stream()
                .map(event -> "## " + event.name() + "\n\n"
                        + Layout.table(
                                List.of("", ""),
                                rows(event, link).stream().map(row -> List.<Object>of(row.get(0), row.get(1)))))
                .collect(Collectors.joining("\n"));
    }

    /** One section, for a terminal. */
    String toText(Event event) {
        StringBuilder text = new StringBuilder(event.name());
        for (List<String> row : rows(event, Situation::name)) {
            text.append(System.lineSeparator())
                    .append(Layout.paragraph(
                            String.format("  %-12s ", row.get(0)),
                            " ".repeat(15),
                            List.of(row.get(1).split(" ", -1))));
        }
        for (Behaviour behaviour : event.behaviours(tables)) {
            text.append(System.lineSeparator()).append(String.format("  %-5s %s", behaviour.key(), behaviour.title()));
        }
        return text.toString();
    }

    /** Names and values of what there is to say of an event. */
    List<List<String>> rows(Event event, Function<Situation, String> link) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("Sent by", event.sender()));
        rows.add(List.of("Status", statuses(event)));
        rows.add(List.of("Private data", event.privateData()));
        rows.add(List.of("Parameters", event.parameters()));
        List<Situation> itself = event.bySituation(tables);
        if (!itself.isEmpty()) {
            rows.add(List.of("Waits in", itself.stream().map(link).collect(Collectors.joining(", "))));
        }
        addCommands("Follows", event.forItself(tables), link, rows);
        addCommands("At the peer", event.forPeer(tables), link, rows);
        String keys = event.behaviours(tables).stream().map(Behaviour::key).collect(Collectors.joining(", "));
        if (!keys.isEmpty()) {
            rows.add(List.of("Behaviours", keys));
        }
        return rows;
    }

    private static void addCommands(
            String head,
            Map<Command, List<Situation>> commands,
            Function<Situation, String> link,
            List<List<String>> rows) {
        if (!commands.isEmpty()) {
            rows.add(List.of(
                    head,
                    commands.entrySet().stream()
                            .map(entry -> entry.getKey() + " in "
                                    + (entry.getValue().size() > 8
                                            ? entry.getValue().size() + " situations"
                                            : entry.getValue().stream()
                                                    .map(link)
                                                    .collect(Collectors.joining(", "))))
                            .collect(Collectors.joining("; "))));
        }
    }

    private String statuses(Event event) {
        Map<Integer, List<String>> statuses = event.statuses(tables);
        if (statuses.isEmpty()) {
            return NEVER;
        }
        return statuses.entrySet().stream()
                .map(status -> event.meaning(status.getKey())
                        + (status.getValue().equals(tables.series())
                                ? ""
                                : " on " + String.join(" and ", status.getValue())))
                .collect(Collectors.joining(", "));
    }
}
