// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.internal.cm.CmStateMachine;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Observation;
import io.github.rdma4j.research.semantics.situation.Situation;
import io.github.rdma4j.research.semantics.situation.Table;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The library's state machine allows what the kernels take and keeps back what they refuse, and what it takes for a step
 * is one: unless {@link Deviation} says why not.
 */
class CmStateMachineConformanceTest {
    /** The commands that lead to an event of the id or of its peer wherever they change the state. */
    private static final Set<Command> HEARD = EnumSet.of(
            Command.RESOLVE_ADDR,
            Command.RESOLVE_ROUTE,
            Command.CONNECT,
            Command.ACCEPT,
            Command.ESTABLISH,
            Command.REJECT,
            Command.DISCONNECT);

    private static String deviation(Deviation.Kind kind, Command command, Situation situation) {
        return command + " in " + situation + " is " + kind;
    }

    /** Whether the kernel has the command: a command that it has looks for the id first. */
    private static boolean knows(Table table, Command command) {
        return table.at(Situation.NEVER_CREATED, command).stream()
                .noneMatch(observation -> observation.result().equals(Errno.EINVAL.name()));
    }

    /** Whether the same events followed. */
    private static boolean followsLike(Observation one, Observation other) {
        return one.events().equals(other.events())
                && one.peer().equals(other.peer())
                && one.later().equals(other.later());
    }

    /** How the state machine and this kernel differ about a command, if they do. */
    private static Optional<Deviation.Kind> compare(Table table, Situation situation, Command command) {
        CmState state = situation.state();
        Optional<CmCommand> modelled = Deviation.modelled(command, situation);
        if (state == null || modelled.isEmpty() || !knows(table, command)) {
            return Optional.empty();
        }
        Optional<CmState> next = CmStateMachine.after(state, modelled.get());
        List<Observation> observations = table.at(situation, command);
        if (observations.isEmpty()) {
            return Optional.empty();
        }
        boolean taken = observations.stream().allMatch(Observation::isOk);
        if (next.isEmpty()) {
            return taken ? Optional.of(Deviation.Kind.WITHHELD) : Optional.empty();
        }
        if (!taken) {
            return Optional.of(Deviation.Kind.REFUSED);
        }
        boolean isStep = next.get() != state && HEARD.contains(command);
        List<Observation> control = table.at(situation, Command.NONE);
        return isStep
                        && observations.stream()
                                .anyMatch(observation ->
                                        control.stream().anyMatch(other -> followsLike(observation, other)))
                ? Optional.of(Deviation.Kind.IGNORED)
                : Optional.empty();
    }

    @Test
    void everyCommandOfTheStateMachineIsMeasured() {
        Set<CmCommand> measured = EnumSet.of(CmCommand.CREATE_QP); // which is none of the connection manager's
        for (Situation situation : Situation.values()) {
            for (Command command : Command.values()) {
                Deviation.modelled(command, situation).ifPresent(measured::add);
            }
        }
        assertThat(measured).containsExactlyInAnyOrder(CmCommand.values());
    }

    @Test
    void deviatesFromTheKernelsOnlyWhereItSaysWhy() {
        Set<String> found = new TreeSet<>();
        for (Table table : Tables.committed().bySeries().values()) {
            for (Situation situation : Situation.values()) {
                for (Command command : Command.values()) {
                    compare(table, situation, command)
                            .ifPresent(kind -> found.add(deviation(kind, command, situation)));
                }
            }
        }
        Set<String> known = new TreeSet<>();
        for (Deviation listed : Deviation.inForce()) {
            listed.situations().forEach(situation -> known.add(deviation(listed.kind(), listed.command(), situation)));
        }
        assertThat(found).isEqualTo(known);
    }
}
