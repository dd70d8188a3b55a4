// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.junit.SoftRoce;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code verify card} on soft-RoCE, with the programs in C that the guest has. */
// Two programs poll for each other's messages, each within a time: that takes two processors, which no guest of UML
// has.
@SoftRoce(backend = {Backend.VM, Backend.HOST})
@RequiresKernel
@Nightly
class VerifyCardKernelIT {
    private static final Duration LIMIT = Duration.ofMinutes(8);

    @TempDir
    Path directory;

    private String report() throws Exception {
        return Files.readString(directory.resolve("report"));
    }

    @Test
    @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void everythingPassesOnSoftRoce() throws Exception {
        String file = directory.resolve("report").toString();
        List<String> arguments = List.of("verify", "card", Rxe.DEVICE, "--limit", "450", "--report", file);
        try (PeerProcess command = PeerProcess.start(GuestRun.commandLine(GuestRun.SHORT_LIVED, arguments))) {
            int status = command.await(LIMIT);

            assertThat(report())
                    .as(command.output())
                    // What is left out: a sender in C that is too quick for newer kernels.
                    .containsPattern(
                            "^## rdma4j verify card: (62 passed, 0 FAILED, 0|61 passed, 0 FAILED, 1) left out");
            assertThat(status).isZero();
        }
        assertThat(report())
                .contains("| device | " + Rxe.DEVICE + ", driver rxe with ABI 2 |", "ib_send_lat")
                .containsPattern("RC: server in C \\(ibv_rc_pingpong\\), client in Java \\| passed")
                .containsPattern("ping: Java and Java \\| passed \\| [0-9,]+ ms \\| 500 pings, .* verified")
                .containsPattern("latency of 64 bytes, .* \\| passed .* Java [0-9.]+ us, .* ib_send_lat [0-9.]+ us")
                .doesNotContain(Rxe.IPV4)
                .endsWith("The run came to its end.\n");
    }
}
