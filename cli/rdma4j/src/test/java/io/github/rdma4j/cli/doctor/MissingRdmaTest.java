// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import static io.github.rdma4j.cli.doctor.FakeMachine.RDMA_CM;
import static io.github.rdma4j.testkit.ScriptedKernel.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MissingRdmaTest {
    private final ErrnoException noCm = new ErrnoException("looking for rdma_cm", Errno.ENODEV, "modprobe");

    private FakeMachine machine;

    @TempDir
    Path root;

    @BeforeEach
    void machine() {
        machine = new FakeMachine(root);
        machine.kernel.expectSocket(16, 3, 20, refused(Errno.EPERM)).expectSocket(16, 3, 20, refused(Errno.EPERM));
    }

    @Test
    void leadsToAGuestWhereTheKernelIsBuiltWithoutRdma() {
        assertThat(MissingRdma.explain(noCm, machine.machine()).orElseThrow())
                .contains("is built without", "./rdma4j testbed run", "./rdma4j doctor")
                .doesNotContain("modprobe")
                .hasLineCount(1);
    }

    @Test
    void leadsToTheModuleWhereThereIsOne() {
        machine.with("lib/modules/6.1.0-37-amd64/modules.dep", """
                kernel/drivers/infiniband/core/ib_core.ko:
                kernel/drivers/infiniband/core/ib_uverbs.ko:
                kernel/drivers/infiniband/core/rdma_cm.ko:
                kernel/drivers/infiniband/core/rdma_ucm.ko:
                kernel/drivers/infiniband/sw/rxe/rdma_rxe.ko:""");
        assertThat(MissingRdma.explain(noCm, machine.machine()).orElseThrow())
                .contains("looking for rdma_cm", "modprobe -a", "./rdma4j doctor")
                .doesNotContain("testbed");
    }

    @Test
    void hasNothingToSayOfOtherFailures() {
        assertThat(MissingRdma.explain(new RdmaException("REJECTED"))).isEmpty();
        assertThat(MissingRdma.explain(new ErrnoException("poll", Errno.EINVAL)))
                .isEmpty();
    }

    @Test
    void hasNothingToSayWhereEverythingIsThere() {
        machine.withRxe("rxe0", "4: ACTIVE")
                .with("sys/class/infiniband/rxe0/node_guid", "e045:acff:feca:d6d6")
                .with("sys/class/infiniband/rxe0/node_type", "1: CA")
                .with("sys/class/infiniband/rxe0/parent", "veth0")
                .with("sys/class/infiniband_verbs/abi_version", "6")
                .with("sys/class/infiniband_verbs/uverbs0/ibdev", "rxe0")
                .with("sys/class/infiniband_verbs/uverbs0/dev", "231:192")
                .with("sys/class/infiniband_verbs/uverbs0/abi_version", "2")
                .with("sys/class/misc/rdma_cm/dev", "10:124")
                .with("sys/class/misc/rdma_cm/abi_version", "4")
                .opens("rdma_cm", RDMA_CM)
                .opens("uverbs0", FakeMachine.UVERBS0);
        assertThat(MissingRdma.explain(noCm, machine.machine())).isEmpty();
    }
}
