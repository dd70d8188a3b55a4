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

class KvmCheckTest {
    private FakeMachine machine;

    @TempDir
    Path root;

    @BeforeEach
    void machine() {
        machine = new FakeMachine(root);
    }

    private String node() {
        return root.resolve("dev/kvm").toString();
    }

    private List<Finding> examine() {
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
        assertThat(examine()).extracting(Finding::severity).containsExactly(Severity.OK);
    }

    @Test
    void tellsAContainerHowToGetIt() {
        machine.inContainer();
        assertThat(examine()).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.WARN);
            assertThat(finding.text()).contains("10 times slower");
            assertThat(finding.remedy()).contains("--device=/dev/kvm", "testbed setup --on uml");
        });
    }

    @Test
    void saysWhyItDoesNotOpen() {
        machine.with("dev/kvm", "").kernel.expectOpen(node(), -Errno.EACCES.number());
        assertThat(examine()).singleElement().satisfies(finding -> {
            assertThat(finding.text()).contains("EACCES");
            assertThat(finding.remedy()).contains("chmod a+rw /dev/kvm");
        });
    }

    @Test
    void isContentWithoutKvmWhereGuestsRunInUserModeLinux() {
        machine.withUserModeLinux();
        assertThat(examine()).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.OK);
            assertThat(finding.text()).contains("User Mode Linux");
        });
    }

    @Test
    void hasNothingToSayInAGuest() {
        machine.inGuest();
        assertThat(examine()).isEmpty();
    }
}
