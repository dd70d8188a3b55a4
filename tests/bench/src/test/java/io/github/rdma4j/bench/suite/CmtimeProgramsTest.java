// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.cmtime.Step;
import org.junit.jupiter.api.Test;

class CmtimeProgramsTest {
    @Test
    void readsTheTableOfTheCProgram() {
        String output = """
                creating id
                resolving address
                step              total ms     max ms     min us  us / conn
                create id    :        2.35       0.21      18.00      23.47
                resolve route:      123.45      99.10 1000000.00    1234.50
                event: RDMA_CM_EVENT_REJECTED, error: 8
                """;

        assertThat(CmtimePrograms.parse(output))
                .containsEntry(Step.CREATE_ID, 23.47)
                .containsEntry(Step.RESOLVE_ROUTE, 1234.50)
                .hasSize(2);
    }
}
