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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code semantics record} still works, in a guest: it observes in a few situations what the committed table says. */
@Nightly
class RecordCommandIT {
    private static final List<String> SITUATIONS =
            List.of("IDLE", "ROUTE_RESOLVED", "LISTENING", "ESTABLISHED", "UD_JOINED", "REMOVED_BOUND");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"rxe, '', 'C1,C27,F3,F15'", "ib, 7.2-ib, 'C1,C27,F3,F15,I3,I6'"})
    @Timeout(600)
    void observesTheResultsOfTheCommittedTable(String device, String tableOfDevice, String behaviours)
            throws Exception {
        int status = SemanticsMain.run(
                "record",
                "--quick",
                "--passes=1",
                "--device=" + device,
                "--situation=" + String.join(",", SITUATIONS),
                "--behaviour=" + behaviours,
                "--tables=" + directory);
        assertThat(status).isZero();
        String series = tableOfDevice.isEmpty() ? KernelRelease.DEFAULT.series() : tableOfDevice;
        Table observed = Table.parse(Files.readAllLines(Tables.file(directory, series)));
        Table committed = Objects.requireNonNull(Tables.committed().bySeries().get(series));
        assertThat(observed.situations()).extracting(Situation::name).containsExactlyElementsOf(SITUATIONS);
        assertThat(deviations(observed, committed)).isEmpty();
        List<String> keys = List.of(behaviours.split(",", -1));
        assertThat(observed.behaviours()).containsExactlyInAnyOrderElementsOf(keys);
        assertThat(keys)
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
