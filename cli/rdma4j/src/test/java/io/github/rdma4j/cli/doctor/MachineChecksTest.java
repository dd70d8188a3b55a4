// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.doctor.Finding.Severity;
import io.github.rdma4j.kernel.Errno;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineChecksTest {
    /** Capabilities. */
    private static final String DOCKER = "00000000a80425fb";

    private static final String ALL = "000001ffffffffff";

    /** Maps of users. */
    private static final String INITIAL = "         0          0 4294967295";

    private static final String ROOTLESS = "         0       1000          1\n         1     100000      65536";

    private FakeMachine machine;

    @TempDir
    Path root;

    @BeforeEach
    void machine() {
        machine = new FakeMachine(root);
    }

    @ParameterizedTest
    @CsvSource({"4.18.0-553.el8, WARN", "5.7.1, WARN", "5.8.0, OK", "6.1.0-37-amd64, OK", "7.2, OK", "strange, OK"})
    void warnsBefore58(String release, Severity severity) {
        machine.with("proc/sys/kernel/osrelease", release);
        assertThat(MachineChecks.kernel(machine.survey())).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(severity);
            assertThat(finding.text()).startsWith("Linux " + release);
        });
    }

    @Test
    void saysThatThisIsAContainer() {
        machine.with("proc/1/cgroup", "0::/kubepods/pod1");
        assertThat(MachineChecks.kernel(machine.survey()).get(0).text()).endsWith(", in a container");
        machine.inGuest();
        assertThat(MachineChecks.kernel(machine.survey()).get(0).text()).doesNotContain("container");
    }

    @Test
    void aMachineWhoseImageComesFromAContainerIsNoContainer() {
        machine.inContainer().with("proc/2/comm", "kthreadd");
        assertThat(MachineChecks.kernel(machine.survey()).get(0).text()).doesNotContain("container");
    }

    private String node() {
        return root.resolve("dev/kvm").toString();
    }

    private List<Finding> kvm() {
        List<Finding> findings = MachineChecks.kvm(machine.survey());
        machine.kernel.assertAllConsumed();
        return findings;
    }

    @Test
    void isContentWithANodeThatOpens() {
        machine.with("dev/kvm", "")
                .kernel
                .expectOpen(node(), 5)
                .expectCharacterDevice(5, 0xae8)
                .expectClose(5);
        assertThat(kvm()).extracting(Finding::severity).containsExactly(Severity.OK);
    }

    @Test
    void tellsAContainerHowToGetIt() {
        machine.inContainer();
        assertThat(kvm()).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.WARN);
            assertThat(finding.text()).contains("10 times slower");
            assertThat(finding.remedy()).contains("--device=/dev/kvm", "testbed setup --on uml");
        });
    }

    @Test
    void saysWhyItDoesNotOpen() {
        machine.with("dev/kvm", "").kernel.expectOpen(node(), -Errno.EACCES.number());
        assertThat(kvm()).singleElement().satisfies(finding -> {
            assertThat(finding.text()).contains("EACCES");
            assertThat(finding.remedy()).contains("chmod a+rw /dev/kvm");
        });
    }

    @Test
    void isContentWithoutKvmWhereGuestsRunInUserModeLinux() {
        machine.withUserModeLinux();
        assertThat(kvm()).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.OK);
            assertThat(finding.text()).contains("User Mode Linux");
        });
    }

    @Test
    void hasNothingToSayInAGuest() {
        machine.inGuest();
        assertThat(kvm()).isEmpty();
    }

    private Finding memlock(String soft, String hard, String capabilities, String users) {
        machine.with("proc/self/status", "Name:\tjava\nCapEff:\t" + capabilities + "\nCapBnd:\t0")
                .with("proc/self/uid_map", users)
                .with(
                        "proc/self/limits",
                        "Limit                     Soft Limit           Hard Limit           Units     \n"
                                + "Max locked memory         " + soft + "              " + hard
                                + "              bytes     ");
        return MachineChecks.memlock(machine.survey()).get(0);
    }

    @Test
    void theLimitOfMemoryMayBeRaised() {
        assertThat(memlock("unlimited", "unlimited", DOCKER, INITIAL))
                .isEqualTo(Finding.ok("memlock limit", "soft unlimited, hard unlimited"));
        assertThat(memlock("8388608", "unlimited", DOCKER, INITIAL))
                .isEqualTo(Finding.warn(
                        "memlock limit",
                        "soft 8388608 bytes, hard unlimited; more than that cannot be registered (ENOMEM)",
                        "ulimit -l unlimited"));
        assertThat(memlock("8388608", "8388608", DOCKER, INITIAL).remedy())
                .contains("prlimit", "LimitMEMLOCK=infinity");
    }

    @Test
    void aContainerGetsMemoryFromOutside() {
        machine.inContainer();
        assertThat(memlock("8388608", "8388608", DOCKER, INITIAL).remedy())
                .isEqualTo("start the container with --ulimit memlock=-1");
    }

    @Test
    void theCapabilityLiftsTheLimitUnlessTheContainerIsRootless() {
        Finding lifted = memlock("8388608", "8388608", ALL, INITIAL);
        assertThat(lifted.severity()).isEqualTo(Severity.OK);
        assertThat(lifted.text()).endsWith("CAP_IPC_LOCK lifts it");
        assertThat(memlock("8388608", "8388608", ALL, ROOTLESS).severity()).isEqualTo(Severity.WARN);
    }

    @Test
    void saysWhenProcDoesNotTellTheLimit() {
        assertThat(MachineChecks.memlock(machine.survey()).get(0).severity()).isEqualTo(Severity.WARN);
    }
}
