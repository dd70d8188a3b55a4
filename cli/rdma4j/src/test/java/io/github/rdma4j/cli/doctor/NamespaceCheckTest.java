// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import static io.github.rdma4j.testkit.ScriptedKernel.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.doctor.Finding.Severity;
import io.github.rdma4j.kernel.Errno;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamespaceCheckTest {
    private FakeMachine machine;

    @TempDir
    Path root;

    @BeforeEach
    void machine() {
        machine = new FakeMachine(root).with("sys/class/infiniband/rxe0/node_type", "1: CA");
    }

    /** The answer to RDMA_NLDEV_CMD_SYS_GET, with the two attributes NETNS_MODE and COPY_ON_FORK. */
    private Finding examine(int mode, int copyOnFork) throws Exception {
        byte[] answer =
                HexFormat.of().parseHex("20000000061400000100000000000000" + "0500420000000000" + "05005d0000000000");
        answer[20] = (byte) mode;
        answer[28] = (byte) copyOnFork;
        machine.kernel
                .expectSocket(16, 3, 20, 5)
                .expectNonBlocking(5)
                .expectWrite(5, memory -> memory.capacity())
                .expectRead(5, answer)
                .expectClose(5);
        Finding finding = ModuleChecks.namespaces(machine.survey()).get(0);
        machine.kernel.assertAllConsumed();
        return finding;
    }

    @Test
    void tellsTheMode() throws Exception {
        machine.withRxe("rxe0", "4: ACTIVE");
        assertThat(examine(1, 1))
                .isEqualTo(Finding.ok("RDMA namespaces", "shared: every namespace sees every device; fork is safe"));
        assertThat(examine(0, 1).text()).startsWith("exclusive: ");
        assertThat(examine(1, 0).text()).contains("fork is not safe");
    }

    @Test
    void anExclusiveNamespaceMayHaveNoDevice() throws Exception {
        Finding finding = examine(0, 1);
        assertThat(finding.severity()).isEqualTo(Severity.WARN);
        assertThat(finding.remedy()).contains("rdma dev set DEVICE netns NAME");
    }

    @Test
    void warnsWhenTheSocketIsForbidden() throws Exception {
        machine.kernel.expectSocket(16, 3, 20, refused(Errno.EPERM));
        Finding finding = ModuleChecks.namespaces(machine.survey()).get(0);
        assertThat(finding.severity()).isEqualTo(Severity.WARN);
        assertThat(finding.text()).contains("socket NETLINK_RDMA: EPERM (1)");
        assertThat(finding.remedy()).contains("seccomp");
    }

    @Test
    void leavesAKernelWithoutRdmaToTheModuleCheck(@TempDir Path other) throws Exception {
        assertThat(ModuleChecks.namespaces(new FakeMachine(other).survey())).isEmpty();
    }
}
