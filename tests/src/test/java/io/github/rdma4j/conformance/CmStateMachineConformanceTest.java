// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmCommand;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.CmStateMachine;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The library's state machine allows what the kernels take and keeps back what they refuse, unless it says why not. */
class CmStateMachineConformanceTest {
    private static String pair(boolean allowed, Command command, Situation situation) {
        return command + " in " + situation + ": the library " + (allowed ? "allows" : "refuses") + " it, the kernel "
                + (allowed ? "does not" : "would not");
    }

    private static boolean isTaken(List<Observation> observations) {
        return observations.stream().allMatch(Observation::isOk);
    }

    /** Every pair of situation and command of which the state machine and some kernel do not think alike. */
    private static Set<String> found() {
        Set<String> found = new TreeSet<>();
        for (Table table : new Tables().bySeries().values()) {
            for (Situation situation : table.situations()) {
                CmState state = situation.state();
                for (Command command : Command.values()) {
                    CmCommand modelled = command.modelled(situation);
                    if (state != null && modelled != null) {
                        boolean allowed = CmStateMachine.after(state, modelled).isPresent();
                        if (allowed != isTaken(table.at(situation, command))) {
                            found.add(pair(allowed, command, situation));
                        }
                    }
                }
            }
        }
        return found;
    }

    @Test
    void deviatesFromTheKernelsOnlyWhereItSaysWhy() {
        Set<String> known = new TreeSet<>();
        for (Deviation deviation : Deviation.all()) {
            for (Situation situation : deviation.situations()) {
                known.add(pair(deviation.allowed(), deviation.command(), situation));
            }
        }
        assertThat(found()).isEqualTo(known);
    }
}
