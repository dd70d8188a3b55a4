// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.doctor.Finding.Severity;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelCheckTest {
    @TempDir
    Path root;

    @ParameterizedTest
    @CsvSource({"4.18.0-553.el8, WARN", "5.7.1, WARN", "5.8.0, OK", "6.1.0-37-amd64, OK", "7.2, OK", "strange, OK"})
    void warnsBefore58(String release, Severity severity) {
        FakeMachine machine = new FakeMachine(root).with("proc/sys/kernel/osrelease", release);
        assertThat(MachineChecks.kernel(machine.survey())).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(severity);
            assertThat(finding.text()).startsWith("Linux " + release);
        });
    }

    @Test
    void saysThatThisIsAContainer() {
        FakeMachine machine = new FakeMachine(root).with("proc/1/cgroup", "0::/kubepods/pod1");
        assertThat(MachineChecks.kernel(machine.survey()).get(0).text()).endsWith(", in a container");
        machine.inGuest();
        assertThat(MachineChecks.kernel(machine.survey()).get(0).text()).doesNotContain("container");
    }

    @Test
    void aMachineWhoseImageComesFromAContainerIsNoContainer() {
        FakeMachine machine = new FakeMachine(root).inContainer().with("proc/2/comm", "kthreadd");
        assertThat(MachineChecks.kernel(machine.survey()).get(0).text()).doesNotContain("container");
    }
}
