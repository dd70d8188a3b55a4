// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Situation;
import io.github.rdma4j.research.semantics.situation.Table;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Situations in which the library's state machine and the kernel treat a command differently on purpose. The list is
 * the resource {@code semantics/deviations.tsv}.
 *
 * @param reason one sentence
 */
record Deviation(Kind kind, Command command, Set<Situation> situations, String reason) {
    /** How they differ. */
    enum Kind {
        /** The library allows the command and the kernel refuses it. */
        REFUSED("refuses", "allows"),
        /** The library allows the command, the kernel returns OK, and nothing follows. */
        IGNORED("takes it, nothing follows", "allows"),
        /** The library refuses a command that the kernel would accept. */
        WITHHELD("takes it", "refuses");

        private final String kernel;
        private final String library;

        Kind(String kernel, String library) {
            this.kernel = kernel;
            this.library = library;
        }
    }

    /** The lines of {@code modelled.tsv} by the commands of the kernel. */
    private static final Map<Command, List<String>> MODELLED = Table.resource("modelled.tsv")
            .collect(Collectors.toMap(columns -> Command.valueOf(columns.get(0)), columns -> columns));

    /** All known deviations. Every deviation occurs on at least one kernel. */
    static List<Deviation> all() {
        return Table.resource("deviations.tsv").map(Deviation::of).toList();
    }

    private static Deviation of(List<String> columns) {
        Set<Situation> situations = EnumSet.noneOf(Situation.class);
        for (String name : columns.get(2).split(", ", -1)) {
            situations.add(Situation.valueOf(name));
        }
        return new Deviation(Kind.valueOf(columns.get(0)), Command.valueOf(columns.get(1)), situations, columns.get(3));
    }

    /** The deviations of commands that the state machine has. */
    static List<Deviation> inForce() {
        return all().stream()
                .filter(deviation -> deviation.situations.stream()
                        .anyMatch(situation ->
                                modelled(deviation.command, situation).isPresent()))
                .toList();
    }

    /**
     * The state machine's name of the command in this situation; empty if the state machine leaves the command to the
     * kernel.
     */
    static Optional<CmCommand> modelled(Command command, Situation situation) {
        int column = situation.portSpace() == PortSpace.UDP ? 2 : 1;
        return Optional.ofNullable(MODELLED.get(command)).map(columns -> CmCommand.valueOf(columns.get(column)));
    }

    /** The list as a Markdown table. */
    static String toMarkdown() {
        return Layout.table(
                List.of("Command", "Situations", "Kernel", "Library", "Why"),
                inForce().stream()
                        .map(deviation -> List.of(
                                deviation.command,
                                deviation.situations.stream()
                                        .map(Situation::name)
                                        .collect(Collectors.joining(", ")),
                                deviation.kind.kernel,
                                deviation.kind.library,
                                deviation.reason)));
    }
}
