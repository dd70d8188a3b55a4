// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Situation;
import io.github.rdma4j.research.semantics.situation.Table;
import java.util.List;
import java.util.Set;

/** Which behaviours say more about a cell: {@code semantics/related.tsv}. */
final class Related {
    private static final List<Rule> RULES =
            Table.resource("related.tsv").map(Related::rule).toList();

    private record Rule(Set<Situation> situations, Set<Command> commands, List<String> keys) {}

    private Related() {}

    private static Rule rule(List<String> columns) {
        return new Rule(
                Names.matching(Situation.class, columns.get(0), Situation::name),
                Names.matching(Command.class, columns.get(1), Command::name),
                List.of(columns.get(2).split(" ", -1)));
    }

    /** The keys of the behaviours. */
    static List<String> to(Situation situation, Command command) {
        return RULES.stream()
                .filter(rule -> rule.situations.contains(situation) && rule.commands.contains(command))
                .flatMap(rule -> rule.keys.stream())
                .distinct()
                .toList();
    }

    /** The command's name, with the keys after it. */
    static String named(Situation situation, Command command) {
        List<String> keys = to(situation, command);
        return keys.isEmpty() ? command.name() : command + " (" + String.join(", ", keys) + ")";
    }
}
