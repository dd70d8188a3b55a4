// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import static io.github.rdma4j.cli.doctor.FakeMachine.RDMA_CM;
import static io.github.rdma4j.cli.doctor.FakeMachine.UVERBS0;
import static io.github.rdma4j.testkit.ScriptedKernel.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.github.rdma4j.cli.doctor.Finding.Severity;
import io.github.rdma4j.internal.sysfs.DeviceNumber;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceChecksTest {
    private static final String NEW_DEVICE = "rdma link add rxe0 type rxe netdev NETDEV";

    private FakeMachine machine;

    @TempDir
    Path root;

    @BeforeEach
    void machine() {
        machine = new FakeMachine(root);
    }

    @AfterEach
    void everyCallWasMade() {
        machine.kernel.assertAllConsumed();
    }

    private List<Finding> devices() {
        return DeviceChecks.devices(machine.survey());
    }

    private static RdmaDevice mlx4(int index) {
        return new RdmaDevice(
                index, "mlx4_0", 1, RdmaDevice.NodeType.CA, "roce", 2, Optional.of("uverbs1"), 0, 2, "mlx4", 1);
    }

    @Test
    void tellsDriverAndDataPath() {
        machine.withRxe("rxe0", "4: ACTIVE");
        assertThat(devices())
                .containsExactly(Finding.ok(
                        "device rxe0",
                        "driver rxe (id 14, ABI 2), roce, 1 port, node GUID e045acfffecad6d6, data path: yes"));
    }

    @Test
    void warnsOfADriverWithoutDataPath() {
        machine.withRxe("rxe0", "4: ACTIVE").withDevice(mlx4(1));
        assertThat(devices()).extracting(Finding::severity).containsExactly(Severity.OK, Severity.WARN);
        assertThat(devices().get(1).text())
                .contains("driver mlx4")
                .contains("2 ports")
                .contains("data path: no");
    }

    @Test
    void failsWhenNoDriverHasADataPath() {
        machine.withDevice(mlx4(1)).with("lib/modules/6.1.0-37-amd64/modules.dep", "kernel/rdma_rxe.ko:");
        assertThat(devices()).extracting(Finding::severity).containsExactly(Severity.WARN, Severity.FAIL);
        assertThat(devices().get(1).remedy()).isEqualTo("modprobe rdma_rxe; " + NEW_DEVICE);
    }

    @Test
    void warnsWhenTheDriverIsAGuess() {
        RdmaDevice guessed =
                new RdmaDevice(-1, "rxe0", 1, RdmaDevice.NodeType.CA, "", 1, Optional.of("uverbs0"), 0, 14, "rxe", 2);
        machine.withDevice(guessed);
        assertThat(devices().get(0).severity()).isEqualTo(Severity.WARN);
        assertThat(devices().get(0).text()).contains("guessed");
    }

    @Test
    void saysHowToMakeADevice() {
        machine.with("lib/modules/6.1.0-37-amd64/modules.dep", "kernel/rdma_rxe.ko:");
        assertThat(devices())
                .containsExactly(
                        Finding.fail("devices", "there is no RDMA device", "modprobe rdma_rxe; " + NEW_DEVICE));
        machine.with("proc/modules", "rdma_rxe 1 0 - Live 0x0");
        assertThat(devices().get(0).remedy()).isEqualTo(NEW_DEVICE);
        machine.inContainer();
        assertThat(devices().get(0).remedy()).isEqualTo("on the host, outside this container: " + NEW_DEVICE);
    }

    @Test
    void namesTheTestbedWhereTheKernelHasNoSoftRoce() {
        assertThat(devices().get(0).remedy())
                .isEqualTo("./rdma4j testbed run -- COMMAND (Linux 6.1.0-37-amd64 is built without rdma_rxe)");
    }

    private List<Finding> nodes() {
        return DeviceChecks.nodes(machine.survey());
    }

    /** The finding on a node of rdma_cm whose open has this result. */
    private Finding opened(int result) {
        machine.withCm(4).withNode("rdma_cm").kernel.expectOpen(machine.node("rdma_cm"), result);
        return nodes().get(0);
    }

    @Test
    void opensEveryNode() throws Exception {
        machine.withCm(4).opens("rdma_cm", RDMA_CM).withRxe("rxe0", "4: ACTIVE").opens("uverbs0", UVERBS0);
        machine.with("sys/class/infiniband_verbs/abi_version", "6");
        Files.setPosixFilePermissions(Path.of(machine.node("rdma_cm")), PosixFilePermissions.fromString("rw-rw-rw-"));
        List<Finding> findings = nodes();
        assertThat(findings).extracting(Finding::severity).containsOnly(Severity.OK);
        assertThat(findings)
                .extracting(Finding::subject)
                .containsExactly(machine.node("rdma_cm"), "rdma_cm ABI", machine.node("uverbs0"), "uverbs ABI");
        String owner = Files.getOwner(root).getName();
        assertThat(findings.get(0).text())
                .startsWith("10:124, rw-rw-rw- " + owner + ":")
                .endsWith(", opens");
        assertThat(findings.get(2).text()).startsWith("231:192, ");
    }

    @Test
    void aNodeThatIsNotInDevIsMade() {
        machine.withCm(4);
        Finding finding = nodes().get(0);
        assertThat(finding.severity()).isEqualTo(Severity.FAIL);
        assertThat(finding.text()).isEqualTo("the kernel has the device (10:124), but its node is missing here");
        assertThat(finding.remedy())
                .isEqualTo("mkdir -p " + root.resolve("dev/infiniband") + "; mknod -m 666 " + machine.node("rdma_cm")
                        + " c 10 124");
    }

    @Test
    void aContainerHasItPassedIn() {
        machine.inContainer().withCm(4);
        assertThat(nodes().get(0).remedy()).isEqualTo("start the container with --device=" + machine.node("rdma_cm"));
    }

    @Test
    void aNodeOfAnotherDeviceIsMadeAnew() {
        machine.withCm(4).opens("rdma_cm", DeviceNumber.of(10, 99));
        Finding finding = nodes().get(0);
        assertThat(finding.text()).isEqualTo("it is device 10:99, and the kernel has 10:124");
        assertThat(finding.remedy()).startsWith("rm " + machine.node("rdma_cm") + "; mknod");
    }

    @Test
    void anOrdinaryFileIsNoNode() {
        machine.withCm(4).opens("rdma_cm", 0);
        assertThat(nodes().get(0).text()).startsWith("it is not a character device");
    }

    @Test
    void missingPermissionIsAMatterOfTheMode() throws Exception {
        machine.withNode("rdma_cm");
        Files.setPosixFilePermissions(Path.of(machine.node("rdma_cm")), PosixFilePermissions.fromString("rw-------"));
        machine.withCm(4).kernel.expectOpen(machine.node("rdma_cm"), refused(Errno.EACCES));
        Finding finding = nodes().get(0);
        assertThat(finding.severity()).isEqualTo(Severity.FAIL);
        assertThat(finding.text()).contains("EACCES (13)").contains("rw-------");
        assertThat(finding.remedy()).isEqualTo("chmod a+rw " + machine.node("rdma_cm"));
    }

    @Test
    void deviceRulesOfAContainerAreNoMatterOfTheMode() {
        machine.inContainer();
        Finding finding = opened(refused(Errno.EPERM));
        assertThat(finding.text()).contains("EPERM (1)").contains("device rules");
        assertThat(finding.remedy()).contains("--device=" + machine.node("rdma_cm"));
    }

    @Test
    void aNodeWithoutDriverNeedsTheModule() {
        machine.with("lib/modules/6.1.0-37-amd64/modules.dep", "kernel/rdma_ucm.ko:");
        Finding finding = opened(refused(Errno.ENODEV));
        assertThat(finding.text()).contains("it has no driver");
        assertThat(finding.remedy()).isEqualTo("modprobe rdma_ucm");
    }

    @Test
    void anyOtherErrorIsShown() {
        assertThat(opened(refused(Errno.EIO)).text()).contains("EIO (5)");
    }

    @Test
    void aKernelWithoutConnectionManagerNeedsTheModule() {
        machine.inContainer();
        assertThat(nodes())
                .containsExactly(Finding.fail(
                        "rdma_cm",
                        "the kernel's connection manager is missing",
                        "on the host, outside this container: modprobe rdma_ucm"));
    }

    @Test
    void aDeviceWithoutNodeNeedsUverbs() {
        machine.withCm(4).opens("rdma_cm", RDMA_CM).withDevice(FakeMachine.rxe("rxe0", null));
        assertThat(nodes())
                .contains(Finding.fail(
                        "device rxe0",
                        "it has no uverbs character device",
                        "./rdma4j testbed run -- COMMAND (Linux 6.1.0-37-amd64 is built without ib_uverbs)"));
    }

    @Test
    void oneUsableDeviceIsEnough() {
        machine.inContainer().withCm(4).opens("rdma_cm", RDMA_CM);
        machine.withRxe("rxe0", "4: ACTIVE").withRxe("rxe1", "4: ACTIVE").opens("uverbs1", UVERBS0);
        assertThat(nodes())
                .filteredOn(finding -> finding.subject().contains("uverbs"))
                .extracting(Finding::severity)
                .containsExactly(Severity.WARN, Severity.OK);
    }

    @Test
    void anotherAbiCannotBeSpoken() {
        machine.withCm(3).opens("rdma_cm", RDMA_CM).with("sys/class/infiniband_verbs/abi_version", "7");
        assertThat(nodes())
                .filteredOn(finding -> finding.severity() == Severity.FAIL)
                .extracting(Finding::subject, Finding::text)
                .containsExactly(
                        tuple("rdma_cm ABI", "version 3, and rdma4j speaks 4"),
                        tuple("uverbs ABI", "version 7, and rdma4j speaks 6"));
    }
}
