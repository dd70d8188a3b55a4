// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.program.RunningCommand;
import io.github.rdma4j.support.Program;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Our perf and the programs of perftest on soft-RoCE. */
@RequiresKernel
class PerfInteropIT extends PerfInteropScenarios {
    @Override
    String device() {
        return Rxe.DEVICE;
    }

    /** On RoCE the GID of an IPv4 address has a place in the table behind that of the link. */
    @ParameterizedTest
    @CsvSource({"1, true", "0, false"})
    void takesTheGidThatTheAddressesLeadTo(int index, boolean right) throws Exception {
        int port = Rxe.newPort();
        try (Program server = cServer("send_lat", port, options(64))) {
            RunningCommand run = java("send_lat", port, options(64) + " -x " + index + " " + Rxe.IPV4);
            assertThat(run.status()).isEqualTo(right ? 0 : 1);
            if (!right) {
                assertThat(run.complaint()).contains("not to that of --gid-index 0", "1 is ", "--source_ip");
                server.kill();
            }
        }
    }
}
