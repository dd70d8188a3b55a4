// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModuleCheckTest {
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
}
