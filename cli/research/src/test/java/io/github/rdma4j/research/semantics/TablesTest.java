// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.research.semantics.behaviour.Behaviour;
import io.github.rdma4j.research.semantics.behaviour.Behaviours;
import io.github.rdma4j.research.semantics.kernel.KernelSeries;
import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Situation;
import io.github.rdma4j.research.semantics.situation.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The committed tables are whole. */
class TablesTest {
    static List<String> series() {
        return Tables.COMMITTED;
    }

    private static Table table(String series) {
        return Objects.requireNonNull(Tables.committed().bySeries().get(series));
    }

    @ParameterizedTest
    @MethodSource("series")
    void hasEveryCommandInEverySituation(String series) {
        Table table = table(series);
        List<String> missing = new ArrayList<>();
        for (Situation situation : Situation.values()) {
            for (Command command : situation.appliesTo(series) ? Command.values() : new Command[0]) {
                if (table.at(situation, command).isEmpty()) {
                    missing.add(command + " in " + situation);
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("series")
    void isOfTheKernelsThatItIsNamedAfter(String series) {
        assertThat(KernelSeries.of(table(series).release())).isEqualTo(series);
    }

    @ParameterizedTest
    @MethodSource("series")
    void hasAnObservationOfEveryExperiment(String series) {
        Table table = table(series);
        assertThat(Behaviours.all())
                .filteredOn(Behaviour::isMeasurable)
                .filteredOn(behaviour -> behaviour.appliesTo(series))
                .filteredOn(behaviour -> table.behaviour(behaviour.key()).isEmpty())
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("series")
    void holdsNoExperimentThatCouldNotGoOn(String series) {
        assertThat(table(series).toLines()).noneMatch(line -> line.contains("STOPPED"));
    }
}
