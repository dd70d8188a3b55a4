// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.junit.SoftRoce;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** jNVMf and the NVMe target of the kernel, which User Mode Linux does not have and which belongs to the whole machine. */
@SoftRoce(backend = Backend.VM)
@RequiresKernel
@Nightly
class JnvmfKernelIT {
    private static final Duration LIMIT = Duration.ofSeconds(500);
    private static final int SIZE = 4 << 20;

    private final String port = Integer.toString(Rxe.newPort());

    private List<String> client() throws Exception {
        List<String> command = Program.java(NvmeClient.class, Rxe.IPV4, port, NvmeTarget.NAME);
        // jNVMf uses a class that the JDK does not export, sends what the target refuses without the second option, and
        // loses the connection without the third when the guest stands still for half a second.
        command.addAll(
                1,
                List.of(
                        "--add-exports",
                        "java.base/sun.nio.ch=ALL-UNNAMED",
                        "-Djnvmf.legacy=true",
                        "-Drdma4j.disni.retries=6"));
        try (Program program = Program.start(command)) {
            return program.success(LIMIT)
                    .lines()
                    .filter(line -> !line.startsWith("SLF4J"))
                    .toList();
        }
    }

    @Test
    @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void theTargetKeepsWhatJnvmfWrites() throws Exception {
        try (NvmeTarget target = NvmeTarget.serve(Rxe.IPV4, port, SIZE)) {
            List<String> lines = client();
            lines.forEach(System.out::println);
            assertThat(lines).hasSize(NvmeClient.DEPTHS.length + 1).last().isEqualTo("closed");
            for (int i = 0; i < NvmeClient.DEPTHS.length; i++) {
                assertThat(lines.get(i))
                        .startsWith("depth " + NvmeClient.DEPTHS[i] + ": ")
                        .endsWith(", " + SIZE + " bytes are equal");
            }
            int last = NvmeClient.DEPTHS[NvmeClient.DEPTHS.length - 1];
            assertThat(target.content()).isEqualTo(NvmeBlocks.content(last, SIZE));
        }
    }
}
