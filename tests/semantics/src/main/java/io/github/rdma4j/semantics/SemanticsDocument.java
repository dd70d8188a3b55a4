// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics;

import io.github.rdma4j.semantics.situation.Command;
import io.github.rdma4j.semantics.situation.Situation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The parts of {@code docs/cm-semantics.md} that are made of the tables, as Markdown. */
final class SemanticsDocument {
    /** The commands that change where an id stands, as columns of the overview. */
    private static final Map<String, Command> COLUMNS = columns();

    private final Tables tables;

    SemanticsDocument(Tables tables) {
        this.tables = tables;
    }

    private static Map<String, Command> columns() {
        Map<String, Command> columns = new LinkedHashMap<>();
        columns.put("BIND", Command.BIND);
        columns.put("RES. ADDR", Command.RESOLVE_ADDR);
        columns.put("RES. ROUTE", Command.RESOLVE_ROUTE);
        columns.put("LISTEN", Command.LISTEN);
        columns.put("CONNECT", Command.CONNECT);
        columns.put("ACCEPT", Command.ACCEPT);
        columns.put("ESTABL.", Command.ESTABLISH);
        columns.put("REJECT", Command.REJECT);
        columns.put("DISCONN.", Command.DISCONNECT);
        columns.put("NOTIFY", Command.NOTIFY_COMM_EST);
        columns.put("QP INIT", Command.INIT_QP_ATTR_INIT);
        columns.put("QP RTR", Command.INIT_QP_ATTR_RTR);
        columns.put("QP RTS", Command.INIT_QP_ATTR_RTS);
        columns.put("IB PATH", Command.SET_OPTION_IB_PATH);
        columns.put("JOIN", Command.JOIN_MCAST);
        columns.put("DESTROY", Command.DESTROY_ID);
        return columns;
    }

    /** Which kernels, how many situations, commands and cells, and how many of them differ. */
    String counts() {
        List<String> releases = tables.bySeries().values().stream()
                .map(table -> "`" + table.release() + "`")
                .toList();
        StringBuilder text = new StringBuilder("| | |\n|---|---|\n");
        text.append("| Kernels | ").append(String.join(", ", releases)).append(" |\n");
        text.append("| Situations | ").append(Situation.values().length).append(" |\n");
        text.append("| Commands, forms of one counted singly | ")
                .append(commands().size())
                .append(" |\n");
        text.append("| Cells on each kernel | ").append(cells().count()).append(" |\n");
        text.append("| Cells in which the kernels differ | ")
                .append(cells().filter(cell -> tables.differ(cell.situation, cell.command))
                        .count())
                .append(" |\n");
        text.append("| Cells that did not come out the same in every recording on one kernel | ")
                .append(cells().filter(cell -> tables.varies(cell.situation, cell.command))
                        .count())
                .append(" |\n");
        return text.toString();
    }

    private record Place(Situation situation, Command command) {}

    private static List<Command> commands() {
        return Stream.of(Command.values())
                .filter(command -> command != Command.NONE)
                .toList();
    }

    private static Stream<Place> cells() {
        return Stream.of(Situation.values())
                .flatMap(situation -> commands().stream().map(command -> new Place(situation, command)));
    }

    /** Situations by the commands that matter most. */
    String overview() {
        StringBuilder text = new StringBuilder("| Situation | ").append(String.join(" | ", COLUMNS.keySet()));
        text.append(" |\n|---|").append("---|".repeat(COLUMNS.size())).append('\n');
        for (Situation situation : Situation.values()) {
            text.append("| [")
                    .append(situation)
                    .append("](#")
                    .append(anchor(situation))
                    .append(')');
            for (Command command : COLUMNS.values()) {
                text.append(" | ").append(brief(situation, command));
            }
            text.append(" |\n");
        }
        return text.toString();
    }

    private static String anchor(Situation situation) {
        return situation.name().toLowerCase(java.util.Locale.ROOT);
    }

    private String brief(Situation situation, Command command) {
        String brief = tables.bySeries().values().stream()
                .map(table -> table.at(situation, command).stream()
                        .map(observation -> mark(observation.result()))
                        .distinct()
                        .collect(Collectors.joining("/")))
                .distinct()
                .collect(Collectors.joining(" · "));
        return tables.differ(situation, command) ? brief + " **≠**" : brief;
    }

    private static String mark(String result) {
        if (result.startsWith("OK")) {
            return "✓";
        }
        return result.equals("EINVAL") ? "–" : result;
    }

    /** A section for each situation: its commands by what comes of them. */
    String details() {
        StringBuilder text = new StringBuilder();
        for (Situation situation : Situation.values()) {
            text.append("### ")
                    .append(situation)
                    .append("\n\n")
                    .append(capital(situation.title()))
                    .append('.');
            if (situation.state() != null) {
                text.append(" For the library: `").append(situation.state()).append("`.");
            }
            String itself = tables.byItself(situation);
            if (!itself.isEmpty()) {
                text.append(" By itself: ").append(itself).append('.');
            }
            text.append("\n\n| Outcome | Commands |\n|---|---|\n");
            Map<String, List<String>> commands = new LinkedHashMap<>();
            for (Command command : commands()) {
                String outcome = tables.outcome(situation, command);
                String mark = tables.varies(situation, command) ? " (varies)" : "";
                commands.computeIfAbsent(outcome, key -> new ArrayList<>()).add(command + mark);
            }
            commands.forEach((outcome, names) -> text.append("| ")
                    .append(outcome)
                    .append(" | ")
                    .append(String.join(", ", names))
                    .append(" |\n"));
            text.append('\n');
        }
        return text.toString();
    }

    private static String capital(String title) {
        return Character.toUpperCase(title.charAt(0)) + title.substring(1);
    }

    /** The cells in which the kernels differ: commands and outcomes, and the situations they have in common. */
    String differences() {
        Map<String, List<Place>> groups = new LinkedHashMap<>();
        cells().filter(cell -> tables.differ(cell.situation, cell.command))
                .forEach(cell -> groups.computeIfAbsent(
                                cell.command + " | " + tables.outcome(cell.situation, cell.command),
                                key -> new ArrayList<>())
                        .add(cell));
        StringBuilder text = new StringBuilder("| Command | Outcome | Situations |\n|---|---|---|\n");
        groups.forEach((key, cells) -> text.append("| ")
                .append(key)
                .append(" | ")
                .append(cells.stream().map(cell -> cell.situation.name()).collect(Collectors.joining(", ")))
                .append(" |\n"));
        return text.toString();
    }
}
