// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.perf.PerfOptions;
import io.github.rdma4j.cli.perf.PerfProgram;
import io.github.rdma4j.cli.perf.PerfResult;
import io.github.rdma4j.cli.perf.PerfRun;
import io.github.rdma4j.it.support.RequiresSiw;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Programs that poll on soft-iWARP, which works in threads of the kernel: with both sides on one processor, a message took 10
 * milliseconds while the sides polled without a pause.
 */
@RequiresSiw
class PerfSiwIT {
    private static final int MESSAGES = 5000;

    @ParameterizedTest
    @EnumSource(
            value = PerfProgram.class,
            names = {"SEND_LAT", "WRITE_LAT", "READ_LAT"})
    @Timeout(value = 40, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void bothSidesOfALatencyProgramCanPollOnOneProcessor(PerfProgram program) throws Exception {
        CompletableFuture<InetSocketAddress> listening = new CompletableFuture<>();
        PerfOptions passive = PerfOptions.of(program).iterations(MESSAGES).local(new InetSocketAddress(Rxe.IPV4, 0));
        Await.Running<PerfResult> server = Await.inThread(() -> PerfRun.server(passive, listening::complete));
        PerfResult client = PerfRun.client(PerfOptions.of(program)
                .iterations(MESSAGES)
                .server(listening.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)));
        assertThat(client.latency().orElseThrow().typical()).isPositive();
        assertThat(server.result().program()).isEqualTo(program);
    }
}
