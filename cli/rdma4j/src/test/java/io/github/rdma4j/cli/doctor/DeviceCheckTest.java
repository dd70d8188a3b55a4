// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.doctor.Finding.Severity;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceCheckTest {
    private static final String NEW_DEVICE = "rdma link add rxe0 type rxe netdev NETDEV";

    private FakeMachine machine;

    @TempDir
    Path root;

    @BeforeEach
    void machine() {
        machine = new FakeMachine(root);
    }

    private List<Finding> examine() {
        return DeviceChecks.devices(machine.survey());
    }

    private static RdmaDevice mlx4(int index) {
        return new RdmaDevice(
                index, "mlx4_0", 1, RdmaDevice.NodeType.CA, "roce", 2, Optional.of("uverbs1"), 0, 2, "mlx4", 1);
    }

    @Test
    void tellsDriverAndDataPath() {
        machine.withRxe("rxe0", "4: ACTIVE");
        assertThat(examine())
                .containsExactly(Finding.ok(
                        "device rxe0",
                        "driver rxe (id 14, ABI 2), roce, 1 port, node GUID e045acfffecad6d6, data path: yes"));
    }

    @Test
    void warnsOfADriverWithoutDataPath() {
        machine.withRxe("rxe0", "4: ACTIVE").withDevice(mlx4(1));
        assertThat(examine()).extracting(Finding::severity).containsExactly(Severity.OK, Severity.WARN);
        assertThat(examine().get(1).text())
                .contains("driver mlx4")
                .contains("2 ports")
                .contains("data path: no");
    }

    @Test
    void failsWhenNoDriverHasADataPath() {
        machine.withDevice(mlx4(1)).with("lib/modules/6.1.0-37-amd64/modules.dep", "kernel/rdma_rxe.ko:");
        assertThat(examine()).extracting(Finding::severity).containsExactly(Severity.WARN, Severity.FAIL);
        assertThat(examine().get(1).remedy()).isEqualTo("modprobe rdma_rxe; " + NEW_DEVICE);
    }

    @Test
    void warnsWhenTheDriverIsAGuess() {
        RdmaDevice guessed =
                new RdmaDevice(-1, "rxe0", 1, RdmaDevice.NodeType.CA, "", 1, Optional.of("uverbs0"), 0, 14, "rxe", 2);
        machine.withDevice(guessed);
        assertThat(examine().get(0).severity()).isEqualTo(Severity.WARN);
        assertThat(examine().get(0).text()).contains("guessed");
    }

    @Test
    void saysHowToMakeADevice() {
        machine.with("lib/modules/6.1.0-37-amd64/modules.dep", "kernel/rdma_rxe.ko:");
        assertThat(examine())
                .containsExactly(
                        Finding.fail("devices", "there is no RDMA device", "modprobe rdma_rxe; " + NEW_DEVICE));
        machine.with("proc/modules", "rdma_rxe 1 0 - Live 0x0");
        assertThat(examine().get(0).remedy()).isEqualTo(NEW_DEVICE);
        machine.inContainer();
        assertThat(examine().get(0).remedy()).isEqualTo("on the host, outside this container: " + NEW_DEVICE);
    }

    @Test
    void namesTheTestbedWhereTheKernelHasNoSoftRoce() {
        assertThat(examine().get(0).remedy())
                .isEqualTo("./rdma4j testbed run -- COMMAND (Linux 6.1.0-37-amd64 is built without rdma_rxe)");
    }
}
