// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import static java.util.Map.entry;

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

    /** The commands of the kernel that the library's state machine has. */
    private static final Map<Command, CmCommand> MODELLED = Map.ofEntries(
            entry(Command.BIND, CmCommand.BIND),
            entry(Command.RESOLVE_ADDR, CmCommand.RESOLVE_ADDRESS),
            entry(Command.RESOLVE_ROUTE, CmCommand.RESOLVE_ROUTE),
            entry(Command.LISTEN, CmCommand.LISTEN),
            entry(Command.CONNECT, CmCommand.CONNECT),
            entry(Command.ACCEPT, CmCommand.ACCEPT),
            entry(Command.ESTABLISH, CmCommand.ESTABLISH),
            entry(Command.REJECT, CmCommand.REJECT),
            entry(Command.DISCONNECT, CmCommand.DISCONNECT),
            entry(Command.SET_OPTION_TOS, CmCommand.SET_TOS),
            entry(Command.SET_OPTION_REUSEADDR_1, CmCommand.SET_REUSE_ADDRESS),
            entry(Command.SET_OPTION_AFONLY, CmCommand.SET_AF_ONLY),
            entry(Command.SET_OPTION_ACK_TIMEOUT, CmCommand.SET_ACK_TIMEOUT),
            entry(Command.SET_OPTION_IB_PATH, CmCommand.SET_IB_PATH),
            entry(Command.NOTIFY_COMM_EST, CmCommand.NOTIFY),
            entry(Command.JOIN_MCAST, CmCommand.JOIN_MULTICAST),
            entry(Command.MIGRATE_ID, CmCommand.MIGRATE),
            entry(Command.RESOLVE_IB_SERVICE, CmCommand.RESOLVE_SERVICE),
            entry(Command.WRITE_CM_EVENT, CmCommand.WRITE_EVENT));

    /** The same for a datagram id, where that differs. */
    private static final Map<Command, CmCommand> OF_DATAGRAMS =
            Map.of(Command.ACCEPT, CmCommand.ACCEPT_DATAGRAM, Command.DISCONNECT, CmCommand.DISCONNECT_DATAGRAM);

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
        Map<Command, CmCommand> first = situation.portSpace() == PortSpace.UDP ? OF_DATAGRAMS : MODELLED;
        return Optional.ofNullable(first.getOrDefault(command, MODELLED.get(command)));
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
