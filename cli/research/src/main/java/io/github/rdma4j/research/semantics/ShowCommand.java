// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.research.semantics.behaviour.Behaviour;
import io.github.rdma4j.research.semantics.behaviour.BehaviourTable;
import io.github.rdma4j.research.semantics.behaviour.Behaviours;
import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Situation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code semantics show}: prints cells and behaviours. */
@CommandLine.Command(
        name = "show",
        description = "Prints what the kernel does with a command in a situation.",
        footer = {
            "",
            "Without SITUATION, lists the situations and the commands.",
            "",
            "Examples:",
            "  ./rdma4j semantics show ESTABLISHED DISCONNECT    one cell",
            "  ./rdma4j semantics show ESTABLISHED               every command in a situation",
            "  ./rdma4j semantics show '*' LISTEN --result OK    the situations in which LISTEN succeeds",
            "  ./rdma4j semantics show C27                       a behaviour, by its number in the documentation",
            "  ./rdma4j semantics show --event REJECTED          what an event brings, and where it comes",
            "",
            "reported=N: the kernel's reply to MIGRATE_ID, LEAVE_MCAST and DESTROY_ID counts the events of the id, or of the",
            "join, that were fetched. Numbers such as C63 after a command are behaviours that say more.",
            "",
            "The tables for other programs are cli/research/src/main/resources/semantics/kernel-*.tsv: a line for each",
            "cell, columns separated by tabs, their names in the second line."
        })
final class ShowCommand extends TableCommand {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "SITUATION",
            description = "A situation, a pattern such as 'UD_*', a state of the library such as DISCONNECTED (all"
                    + " situations in that state), or the number of a behaviour such as C27.")
    private @Nullable String situation;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "COMMAND",
            description = "A command, or a pattern such as 'SET_OPTION*' (all commands).")
    private String command = "*";

    @Option(
            names = "--kernel",
            paramLabel = "V",
            split = ",",
            description = "Only these kernels, such as 6.1 or 6.1,7.2 (all kernels with a table).")
    private List<String> kernels = new ArrayList<>();

    @Option(
            names = "--result",
            paramLabel = "TEXT",
            description = "Only cells whose outcome contains TEXT on one of the kernels, such as EINVAL or REJECTED.")
    private String result = "";

    @Option(names = "--event", paramLabel = "NAME", description = "An event instead of a situation, such as REJECTED.")
    private @Nullable String event;

    @Override
    public Integer call() {
        Tables tables = read(kernels);
        Names names = new Names(this::wrong);
        if (event != null) {
            out().println(names.event(event).toText(tables));
        } else if (situation == null) {
            list();
        } else if (Names.isBehaviour(situation)) {
            show(names.behaviour(situation), tables);
        } else {
            Set<Situation> situations = names.situations(situation);
            Set<Command> commands = names.commands(command);
            situations.forEach(one -> show(one, commands, tables));
            if (situations.contains(Situation.MIGRATED) || situations.contains(Situation.MIGRATED_FOLLOWED)) {
                out().println(
                                "What an id does after a migration was recorded for the state ROUTE_RESOLVED only; MIGRATE_ID itself"
                                        + " has a cell in every situation.");
            }
        }
        out().flush();
        return 0;
    }

    private void list() {
        out().println("Situations:");
        for (Situation one : Situation.values()) {
            out().printf("  %-26s %s%n", one, one.title());
        }
        out().println("Commands:");
        out().println(Layout.paragraph(
                "  ", "  ", Command.given().stream().map(Enum::name).toList()));
        out().println("Behaviours: C1 to C" + Behaviours.CASES + ", S1 to S" + Behaviours.SURPRISES
                + ", and F and I numbers; docs/cm-semantics.md lists them.");
    }

    private void show(Behaviour behaviour, Tables tables) {
        BehaviourTable table = new BehaviourTable(tables.bySeries());
        List<String> cells = table.cells(behaviour);
        out().println(behaviour.key() + ": " + behaviour.title());
        out().println("  predicted  " + cells.get(2).replace("<br>", "; "));
        out().println("  observed   " + cells.get(3).replace("<br>", System.lineSeparator() + "             "));
        out().println("  verdict    " + cells.get(4).replace("<br>", "; "));
    }

    private void show(Situation one, Set<Command> commands, Tables tables) {
        Set<Command> chosen = EnumSet.noneOf(Command.class);
        for (Command candidate : commands) {
            if (tables.outcomes(one, candidate).values().stream().anyMatch(outcome -> outcome.contains(result))) {
                chosen.add(candidate);
            }
        }
        if (chosen.isEmpty()) {
            return;
        }
        out().println(one + ": " + one.title()
                + (one.state() == null ? "" : "; the library's state is " + one.state()));
        String byItself = tables.byItself(one);
        if (!byItself.isEmpty()) {
            out().println("  without a command: " + byItself);
        }
        chosen.forEach(candidate -> {
            List<String> related = Related.to(one, candidate);
            String more = related.isEmpty() ? "" : "  (" + String.join(", ", related) + ")";
            tables.kernelsByOutcome(one, candidate)
                    .forEach((outcome, series) ->
                            out().printf("  %-24s %s: %s%s%n", candidate, String.join(", ", series), outcome, more));
        });
    }
}
