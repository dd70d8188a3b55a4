// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Situation;
import io.github.rdma4j.research.semantics.situation.Table;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which behaviours say more about a cell: {@code semantics/related.tsv}. */
final class Related {
    private static final Map<Situation, Map<Command, Set<String>>> KEYS = new EnumMap<>(Situation.class);

    static {
        Table.resource("related.tsv").forEach(Related::add);
    }

    private Related() {}

    private static void add(List<String> columns) {
        for (Situation situation : Names.matching(Situation.class, columns.get(0), Situation::name)) {
            for (Command command : Names.matching(Command.class, columns.get(1), Command::name)) {
                KEYS.computeIfAbsent(situation, key -> new EnumMap<>(Command.class))
                        .computeIfAbsent(command, key -> new LinkedHashSet<>())
                        .addAll(List.of(columns.get(2).split(" ", -1)));
            }
        }
    }

    /** The keys of the behaviours. */
    static List<String> to(Situation situation, Command command) {
        return List.copyOf(KEYS.getOrDefault(situation, Map.of()).getOrDefault(command, Set.of()));
    }

    /** The command's name, with the keys after it. */
    static String named(Situation situation, Command command) {
        List<String> keys = to(situation, command);
        return keys.isEmpty() ? command.name() : command + " (" + String.join(", ", keys) + ")";
    }
}
