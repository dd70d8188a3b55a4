// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A short soak of two guests. The seed is always the same, so that a change breaks this test and chance does not. */
class SoakIT {
    private static final String MINUTES = System.getProperty("soak.minutes", "5");
    private static final String SEED = System.getProperty("soak.seed", "2026");

    @Test
    void allInvariantsHold() {
        Path logs = Path.of("target", "soak").toAbsolutePath();
        int status = SoakMain.run(MINUTES, "--nodes", "2", "--seed", SEED, "--logs", logs.toString());
        assertThat(status)
                .as(
                        "exit status of a soak of %s minutes with seed %s; the table is in the output, logs in %s",
                        MINUTES, SEED, logs)
                .isZero();
    }
}
