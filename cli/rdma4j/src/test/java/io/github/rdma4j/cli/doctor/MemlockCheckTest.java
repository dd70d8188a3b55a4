// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.doctor.Finding.Severity;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemlockCheckTest {
    private static final String ALL_CAPABILITIES = "Name:\tjava\nCapEff:\t000001ffffffffff\nCapBnd:\t000001ffffffffff";
    private static final String DOCKER_CAPABILITIES = "Name:\tjava\nCapEff:\t00000000a80425fb\nCapBnd:\t0";
    private static final String INITIAL = "         0          0 4294967295";
    private static final String ROOTLESS = "         0       1000          1\n         1     100000      65536";

    private FakeMachine machine;

    @TempDir
    Path root;

    @BeforeEach
    void machine() {
        machine = new FakeMachine(root)
                .with("proc/self/status", DOCKER_CAPABILITIES)
                .with("proc/self/uid_map", INITIAL);
    }

    private FakeMachine limits(String soft, String hard) {
        return machine.with(
                "proc/self/limits",
                "Limit                     Soft Limit           Hard Limit           Units     \n"
                        + "Max locked memory         " + soft + "              " + hard + "              bytes     ");
    }

    private Finding examine() {
        return MachineChecks.memlock(machine.survey()).get(0);
    }

    @Test
    void noLimitIsBest() {
        limits("unlimited", "unlimited");
        assertThat(examine()).isEqualTo(Finding.ok("memlock limit", "soft unlimited, hard unlimited"));
    }

    @Test
    void theSoftLimitCanBeRaisedToTheHardOne() {
        limits("8388608", "unlimited");
        assertThat(examine())
                .isEqualTo(Finding.warn(
                        "memlock limit",
                        "soft 8388608 bytes, hard unlimited; more than that cannot be registered (ENOMEM)",
                        "ulimit -l unlimited"));
    }

    @Test
    void theHardLimitTakesRoot() {
        limits("8388608", "8388608");
        assertThat(examine().remedy()).contains("prlimit").contains("LimitMEMLOCK=infinity");
    }

    @Test
    void aContainerGetsItFromOutside() {
        limits("8388608", "8388608").inContainer();
        assertThat(examine().remedy()).isEqualTo("start the container with --ulimit memlock=-1");
    }

    @Test
    void theCapabilityLiftsTheLimit() {
        limits("8388608", "8388608").with("proc/self/status", ALL_CAPABILITIES);
        assertThat(examine().severity()).isEqualTo(Severity.OK);
        assertThat(examine().text()).endsWith("CAP_IPC_LOCK lifts it");
    }

    @Test
    void theCapabilityOfARootlessContainerDoesNot() {
        limits("8388608", "8388608").with("proc/self/status", ALL_CAPABILITIES).with("proc/self/uid_map", ROOTLESS);
        assertThat(examine().severity()).isEqualTo(Severity.WARN);
    }

    @Test
    void saysWhenProcDoesNotTell() {
        assertThat(examine().severity()).isEqualTo(Severity.WARN);
    }
}
