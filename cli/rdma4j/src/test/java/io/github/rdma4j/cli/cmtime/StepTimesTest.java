// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class StepTimesTest {
    private static final String ROW = "(?m)^%-13s: {6,}\\d+\\.\\d\\d +\\d+\\.\\d\\d +\\d+\\.\\d\\d +\\d+\\.\\d\\d$";

    @Test
    void theTableIsThatOfTheCProgram() {
        StepTimes times = new StepTimes(2, EnumSet.of(Step.CREATE_ID, Step.RESOLVE_ROUTE));
        times.begin(Step.CREATE_ID);
        for (int i = 0; i < 2; i++) {
            times.begin(Step.CREATE_ID, i);
            times.finish(Step.CREATE_ID, i);
        }
        times.finish(Step.CREATE_ID);

        assertThat(times.table())
                .startsWith("step              total ms     max ms     min us  us / conn\n")
                .containsPattern(ROW.formatted("create id"))
                .contains("resolve route:        0.00       0.00       0.00       0.00\n")
                .hasLineCount(3);
        assertThat(times.microsPerConnection(Step.CREATE_ID)).isPositive();
    }

    @Test
    void aStepThatIsNotTakenIsNotInTheTable() {
        StepTimes times = new StepTimes(1, EnumSet.complementOf(EnumSet.of(Step.BIND)));

        assertThat(times.table()).doesNotContain("bind addr").contains("resolve addr");
        assertThatThrownBy(() -> times.microsPerConnection(Step.BIND)).isInstanceOf(IllegalArgumentException.class);
    }
}
