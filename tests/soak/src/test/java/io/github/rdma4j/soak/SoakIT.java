// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A short soak in a guest, with faults that are others every time; the output says how to replay them. */
class SoakIT {
    private static final String MINUTES = System.getProperty("soak.minutes", "5");

    @Test
    void allInvariantsHold() {
        Path logs = Path.of("target", "soak").toAbsolutePath();
        int status = SoakMain.run(MINUTES, "--logs", logs.toString());
        assertThat(status)
                .as("exit status of a soak of %s minutes; seed and table are in the output, logs in %s", MINUTES, logs)
                .isZero();
    }
}
