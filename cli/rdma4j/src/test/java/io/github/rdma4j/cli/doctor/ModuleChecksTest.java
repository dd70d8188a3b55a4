// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import static io.github.rdma4j.testkit.ScriptedKernel.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.doctor.Finding.Severity;
import io.github.rdma4j.kernel.Errno;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModuleChecksTest {
    private static final String DEPENDENCIES = """
            kernel/drivers/infiniband/core/ib_core.ko.xz:
            kernel/drivers/infiniband/core/ib_uverbs.ko.xz: kernel/drivers/infiniband/core/ib_core.ko.xz
            kernel/drivers/infiniband/core/rdma_cm.ko.xz:
            kernel/drivers/infiniband/core/rdma_ucm.ko.xz:
            """;

    private FakeMachine machine;

    @TempDir
    Path root;

    @BeforeEach
    void machine() {
        machine = new FakeMachine(root);
    }

    private List<Finding> examine() {
        return ModuleChecks.modules(machine.survey());
    }

    @Test
    void readsTheListOfModules() {
        machine.with(
                "proc/modules",
                "ib_uverbs 1 0 - Live 0x0\nib_core 1 1 ib_uverbs, Live 0x0\n"
                        + "rdma_ucm 1 0 - Live 0x0\nrdma_cm 1 1 rdma_ucm, Live 0x0");
        assertThat(examine()).containsExactly(Finding.ok("modules", "ib_core, ib_uverbs, rdma_cm, rdma_ucm"));
    }

    @Test
    void countsWhatIsBuiltIn() {
        machine.with("lib/modules/6.1.0-37-amd64/modules.builtin", "kernel/drivers/infiniband/core/ib_core.ko")
                .with("sys/module/ib_uverbs/parameters/x", "1")
                .with("sys/class/misc/rdma_cm/dev", "10:124");
        assertThat(examine()).containsExactly(Finding.ok("modules", "ib_core, ib_uverbs, rdma_cm, rdma_ucm"));
    }

    @Test
    void loadsWhatTheKernelHas() {
        machine.with("lib/modules/6.1.0-37-amd64/modules.dep", DEPENDENCIES)
                .with("proc/modules", "ib_core 1 0 - Live 0x0");
        assertThat(examine())
                .containsExactly(
                        Finding.ok("modules", "ib_core"),
                        Finding.fail(
                                "modules",
                                "not loaded: ib_uverbs, rdma_cm, rdma_ucm",
                                "modprobe -a ib_uverbs rdma_cm rdma_ucm"));
    }

    @Test
    void aContainerLeavesItToItsHost() {
        machine.inContainer()
                .with("sys/class/infiniband_verbs/abi_version", "6")
                .with("sys/class/infiniband/x", "");
        machine.with("sys/module/rdma_cm/x", "");
        assertThat(examine().get(1).remedy()).isEqualTo("on the host, outside this container: modprobe rdma_ucm");
    }

    @Test
    void namesTheTestbedWhereTheKernelLacksThem() throws Exception {
        String lacks = "./rdma4j testbed run -- COMMAND (Linux 6.1.0-37-amd64 is built without"
                + " ib_core, ib_uverbs, rdma_cm, rdma_ucm)";
        assertThat(examine()).singleElement().extracting(Finding::remedy).isEqualTo(lacks);
        machine.with("lib/modules/6.1.0-37-amd64/modules.dep", DEPENDENCIES).inContainer();
        Files.delete(root.resolve("proc/modules"));
        assertThat(examine())
                .as("a kernel without modules at all")
                .singleElement()
                .extracting(Finding::remedy)
                .isEqualTo(lacks);
    }

    /** The answer to RDMA_NLDEV_CMD_SYS_GET, with the two attributes NETNS_MODE and COPY_ON_FORK. */
    private Finding namespaces(int mode, int copyOnFork) throws Exception {
        machine.with("sys/class/infiniband/rxe0/node_type", "1: CA");
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
        assertThat(namespaces(1, 1))
                .isEqualTo(Finding.ok("RDMA namespaces", "shared: every namespace sees every device; fork is safe"));
        assertThat(namespaces(0, 1).text()).startsWith("exclusive: ");
        assertThat(namespaces(1, 0).text()).contains("fork is not safe");
    }

    @Test
    void anExclusiveNamespaceMayHaveNoDevice() throws Exception {
        Finding finding = namespaces(0, 1);
        assertThat(finding.severity()).isEqualTo(Severity.WARN);
        assertThat(finding.remedy()).contains("rdma dev set DEVICE netns NAME");
    }

    @Test
    void warnsWhenTheSocketIsForbidden() throws Exception {
        machine.with("sys/class/infiniband/rxe0/node_type", "1: CA")
                .kernel
                .expectSocket(16, 3, 20, refused(Errno.EPERM));
        Finding finding = ModuleChecks.namespaces(machine.survey()).get(0);
        assertThat(finding.severity()).isEqualTo(Severity.WARN);
        assertThat(finding.text()).contains("socket NETLINK_RDMA: EPERM (1)");
        assertThat(finding.remedy()).contains("seccomp");
    }

    @Test
    void leavesAKernelWithoutRdmaToTheModuleCheck() throws Exception {
        assertThat(ModuleChecks.namespaces(machine.survey())).isEmpty();
    }
}
