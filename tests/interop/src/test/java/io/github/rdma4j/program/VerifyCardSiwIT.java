// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.it.support.RequiresSiw;
import io.github.rdma4j.it.support.Siw;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.Testbed;
import io.github.rdma4j.testbed.junit.SoftRoce;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code verify card} on an iWARP device, whose queue pairs only the connection manager connects. */
// Two programs poll for each other's messages, each within a time: that takes two processors, which no guest of UML
// has.
@SoftRoce(
        device = Testbed.Device.SIW,
        backend = {Backend.VM, Backend.HOST})
@RequiresSiw
@Nightly
class VerifyCardSiwIT {
    private static final Duration LIMIT = Duration.ofMinutes(11);

    @TempDir
    Path directory;

    @Test
    @Timeout(value = 780, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void everythingPassesThatIwarpHas() throws Exception {
        Path report = directory.resolve("report");
        List<String> arguments = List.of("verify", "card", Siw.DEVICE, "--limit", "630", "--report", report.toString());
        try (PeerProcess command = PeerProcess.start(GuestRun.commandLine(GuestRun.SHORT_LIVED, arguments))) {
            int status = command.await(LIMIT);
            assertThat(Files.readString(report))
                    .as(command.output())
                    .startsWith("## rdma4j verify card: 31 passed, 0 FAILED")
                    .containsPattern("latency of 64 bytes, .* \\| passed .* Java [0-9.]+ us");
            assertThat(status).isZero();
        }
    }
}
