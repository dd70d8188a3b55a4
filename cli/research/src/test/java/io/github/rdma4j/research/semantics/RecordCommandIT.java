// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Observation;
import io.github.rdma4j.research.semantics.situation.Situation;
import io.github.rdma4j.research.semantics.situation.Table;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.testbed.image.KernelRelease;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code semantics record} still works, in a guest: it observes in a few situations what the committed table says. */
@Nightly
class RecordCommandIT {
    private static final List<String> SITUATIONS =
            List.of("IDLE", "ROUTE_RESOLVED", "LISTENING", "ESTABLISHED", "UD_JOINED", "REMOVED_BOUND");
    private static final List<String> BEHAVIOURS = List.of("C1", "C27", "F3", "F15");

    @TempDir
    private Path directory;

    @Test
    @Timeout(600)
    void observesTheResultsOfTheCommittedTable() throws Exception {
        int status = SemanticsMain.run(
                "record",
                "--quick",
                "--passes=1",
                "--situation=" + String.join(",", SITUATIONS),
                "--behaviour=" + String.join(",", BEHAVIOURS),
                "--tables=" + directory);
        assertThat(status).isZero();
        String series = KernelRelease.DEFAULT.series();
        Table observed = Table.parse(Files.readAllLines(Tables.file(directory, series)));
        Table committed = Objects.requireNonNull(Tables.committed().bySeries().get(series));
        assertThat(observed.situations()).extracting(Situation::name).containsExactlyElementsOf(SITUATIONS);
        assertThat(deviations(observed, committed)).isEmpty();
        assertThat(observed.behaviours()).containsExactlyElementsOf(BEHAVIOURS);
        assertThat(BEHAVIOURS)
                .allSatisfy(key -> assertThat(observed.behaviour(key)).as(key).isEqualTo(committed.behaviour(key)));
    }

    private static List<String> deviations(Table observed, Table committed) {
        List<String> deviations = new ArrayList<>();
        for (Situation situation : observed.situations()) {
            for (Command command : Command.values()) {
                List<Observation> expected = committed.at(situation, command);
                for (Observation observation : observed.at(situation, command)) {
                    if (!expected.contains(observation)) {
                        deviations.add(command + " in " + situation + ": " + observation + ", where the table of "
                                + committed.release() + " says " + expected);
                    }
                }
            }
        }
        return deviations;
    }
}
