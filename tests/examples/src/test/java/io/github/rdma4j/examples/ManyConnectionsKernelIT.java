// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ten thousand connections, both ends of which are in this process. */
@Tag("nightly")
@RequiresKernel
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManyConnectionsKernelIT {
    private static final int CONNECTIONS = 10_000;

    private static long residentKib() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
    }

    @Test
    void tenThousandConnectionsNeedNoShardingOfTheProgram() throws Exception {
        ManyConnections.run(Rxe.IPV4, 100);
        long before = residentKib();
        AtomicLong most = new AtomicLong();
        long start = System.nanoTime();
        long answers = ManyConnections.run(Rxe.IPV4, CONNECTIONS, () -> most.set(residentKib()));
        long micros = (System.nanoTime() - start) / 1000;
        assertThat(answers).isEqualTo(CONNECTIONS * (CONNECTIONS + 1L));
        System.out.println(micros / CONNECTIONS + " us and " + (most.get() - before) * 1024 / CONNECTIONS
                + " bytes of resident memory for a connection with both ends, its call and its close included");
    }
}
