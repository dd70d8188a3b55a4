// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MachineProcessTest {
    @Test
    void aProcessWhoseStarterIsInterruptedIsNotLeftBehind() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> MachineProcess.start("sleep", new ProcessBuilder("sleep", "1000"), ended::countDown))
                .isInstanceOf(InterruptedException.class);

        assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    }
}
