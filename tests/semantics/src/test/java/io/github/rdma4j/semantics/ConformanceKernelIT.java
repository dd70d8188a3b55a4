// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The running kernel still does what the committed table of its series says. */
class ConformanceKernelIT {
    /** How many passes to record into a new table; nothing is compared then. */
    private static final String RECORD = "rdma4j.record.passes";

    private static List<String> deviations(Table observed, Table committed) {
        List<String> deviations = new ArrayList<>();
        for (Situation situation : observed.situations()) {
            for (Command command : Recording.quickCommands(situation)) {
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

    @Test
    @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // 20 s, unless the machine is busy
    void doesWhatTheTableSays() throws Exception {
        assumeTrue(System.getProperty(RECORD) == null, "a new table is being recorded");
        String release = Recorder.release();
        String series = Table.series(release);
        assumeTrue(Tables.SERIES.contains(series), "no table was recorded on kernels " + series);
        assertThat(deviations(Recording.record(release, false), Table.committed(series)))
                .isEmpty();
    }

    @Test
    @EnabledIfSystemProperty(named = RECORD, matches = "\\d+")
    @Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void recordsTheTable() throws Exception {
        Recorder.record(Path.of("src", "main", "resources", "semantics"), Integer.getInteger(RECORD));
    }
}
