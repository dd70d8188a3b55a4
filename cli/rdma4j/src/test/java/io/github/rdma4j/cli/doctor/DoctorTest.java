// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import static io.github.rdma4j.cli.doctor.FakeMachine.GID_10_77_0_1;
import static io.github.rdma4j.cli.doctor.FakeMachine.LINK_LOCAL;
import static io.github.rdma4j.cli.doctor.FakeMachine.RDMA_CM;
import static io.github.rdma4j.cli.doctor.FakeMachine.UVERBS0;
import static io.github.rdma4j.testkit.ScriptedKernel.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.doctor.Finding.Severity;
import io.github.rdma4j.kernel.Errno;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole machines, looked at through sysfs as if RDMA netlink were forbidden. */
class DoctorTest {
    private FakeMachine machine;

    @TempDir
    Path root;

    @BeforeEach
    void machine() {
        machine = new FakeMachine(root)
                .with("proc/self/limits", "Max locked memory         unlimited            unlimited            bytes");
    }

    private FakeMachine withSysfsOfOneDevice() {
        return machine.withRxe("rxe0", "4: ACTIVE")
                .with("sys/class/infiniband/rxe0/node_guid", "e045:acff:feca:d6d6")
                .with("sys/class/infiniband/rxe0/node_type", "1: CA")
                .with("sys/class/infiniband/rxe0/parent", "veth0")
                .withGid("rxe0", 0, LINK_LOCAL, "veth0")
                .withGid("rxe0", 1, GID_10_77_0_1, "veth0")
                .with("sys/class/infiniband_verbs/abi_version", "6")
                .with("sys/class/infiniband_verbs/uverbs0/ibdev", "rxe0")
                .with("sys/class/infiniband_verbs/uverbs0/dev", "231:192")
                .with("sys/class/infiniband_verbs/uverbs0/abi_version", "2")
                .with("sys/class/misc/rdma_cm/dev", "10:124")
                .with("sys/class/misc/rdma_cm/abi_version", "4");
    }

    private void refuseNetlink(int times) {
        for (int i = 0; i < times; i++) {
            machine.kernel.expectSocket(16, 3, 20, refused(Errno.EPERM));
        }
    }

    private List<Finding> examine() throws Exception {
        List<Finding> findings = DoctorCommand.examine(machine.machine());
        machine.kernel.assertAllConsumed();
        return findings;
    }

    private static List<String> subjects(List<Finding> findings, Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .map(Finding::subject)
                .toList();
    }

    @Test
    void aHealthyMachineHasNothingToMend() throws Exception {
        withSysfsOfOneDevice().withNetdev("veth0", true, "10.77.0.1");
        refuseNetlink(3);
        machine.opens("rdma_cm", RDMA_CM).opens("uverbs0", UVERBS0);
        List<Finding> findings = examine();
        assertThat(subjects(findings, Severity.FAIL)).isEmpty();
        assertThat(subjects(findings, Severity.WARN))
                .as("because netlink does not answer, and there is no KVM")
                .containsExactly("RDMA namespaces", "device rxe0", "/dev/kvm");
    }

    @Test
    void aContainerThatGotNothing() throws Exception {
        withSysfsOfOneDevice()
                .inContainer()
                .with("proc/self/limits", "Max locked memory         65536            65536            bytes");
        refuseNetlink(3);
        List<Finding> findings = examine();
        assertThat(subjects(findings, Severity.FAIL))
                .containsExactly(machine.node("rdma_cm"), machine.node("uverbs0"), "netdev veth0");
        assertThat(findings)
                .extracting(Finding::remedy)
                .contains(
                        "start the container with --device=" + machine.node("rdma_cm"),
                        "start the container with --device=" + machine.node("uverbs0"),
                        "start the container with the host's network: docker run --network=host",
                        "start the container with --ulimit memlock=-1");
    }

    @Test
    void aMachineWithoutAnyRdma() throws Exception {
        refuseNetlink(2);
        List<Finding> findings = examine();
        assertThat(subjects(findings, Severity.FAIL)).containsExactly("modules", "devices", "rdma_cm");
        assertThat(findings)
                .filteredOn(finding -> finding.severity() == Severity.FAIL)
                .extracting(Finding::remedy)
                .allMatch(remedy -> remedy.startsWith("./rdma4j testbed run"));
    }

    @Test
    void aCheckThatFailsLeavesTheOthersToSpeak() throws Exception {
        withSysfsOfOneDevice().withGid("rxe0", 2, "nonsense", "veth0").withNetdev("veth0", true, "10.77.0.1");
        refuseNetlink(3);
        machine.opens("rdma_cm", RDMA_CM).opens("uverbs0", UVERBS0);
        List<Finding> findings = examine();
        assertThat(subjects(findings, Severity.FAIL)).containsExactly("GidCheck");
        assertThat(subjects(findings, Severity.OK)).contains("memlock limit");
    }

    @Test
    void printsALineForEachFindingAndWhatMendsIt() {
        StringWriter out = new StringWriter();
        List<Finding> findings = List.of(
                Finding.ok("kernel", "Linux 6.1"),
                Finding.warn("memlock limit", "soft 1", "ulimit -l unlimited"),
                Finding.fail("devices", "none", "modprobe rdma_rxe"));
        assertThat(DoctorCommand.report(findings, new PrintWriter(out))).isEqualTo(1);
        assertThat(out.toString().lines())
                .containsExactly(
                        "OK    kernel: Linux 6.1",
                        "WARN  memlock limit: soft 1",
                        "      to fix: ulimit -l unlimited",
                        "FAIL  devices: none",
                        "      to fix: modprobe rdma_rxe",
                        "3 findings: 1 OK, 1 WARN, 1 FAIL");
    }

    @Test
    void printsARemedyOnce() {
        StringWriter out = new StringWriter();
        List<Finding> findings =
                List.of(Finding.fail("modules", "none", "modprobe x"), Finding.fail("devices", "none", "modprobe x"));
        DoctorCommand.report(findings, new PrintWriter(out));
        assertThat(out.toString()).containsOnlyOnce("modprobe x").contains("to fix: as for modules");
    }

    @Test
    void printsJson() {
        StringWriter out = new StringWriter();
        List<Finding> findings = List.of(Finding.fail("devices", "none", "modprobe x"));
        assertThat(DoctorCommand.reportJson(findings, new PrintWriter(out))).isEqualTo(1);
        assertThat(out.toString().strip())
                .isEqualTo("[{\"severity\":\"FAIL\",\"subject\":\"devices\",\"text\":\"none\","
                        + "\"remedy\":\"modprobe x\"}]");
    }

    @Test
    void warningsAloneAreNoFailure() {
        List<Finding> findings = List.of(Finding.ok("a", "b"), Finding.warn("c", "d", "e"));
        assertThat(DoctorCommand.report(findings, new PrintWriter(new StringWriter())))
                .isZero();
    }
}
