// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.rdma4j.it.RequiresKernel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The running kernel still does what the committed table of its series says. */
@RequiresKernel
class ConformanceKernelIT {
    @Test
    void doesWhatTheTableSays() throws Exception {
        String release = Recorder.release();
        String series = Table.series(release);
        assumeTrue(Tables.SERIES.contains(series), "no table was recorded on kernels " + series);
        Table committed = Table.committed(series);
        Table observed = Recording.record(release, false);
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
        assertThat(deviations).isEmpty();
    }
}
