// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.doctor.Finding.Severity;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PortCheckTest {
    private FakeMachine machine;

    @TempDir
    Path root;

    @BeforeEach
    void machine() {
        machine = new FakeMachine(root)
                .with("sys/class/infiniband/rxe0/parent", "veth0")
                .withNetdev("veth0", true, "10.77.0.1");
    }

    private List<Finding> examine() throws Exception {
        return PortChecks.ports(machine.survey());
    }

    @Test
    void tellsStateLinkLayerAndMtu() throws Exception {
        machine.withRxe("rxe0", "4: ACTIVE");
        assertThat(examine())
                .containsExactly(Finding.ok(
                        "port rxe0/1",
                        "4: ACTIVE, 5: LinkUp, link layer Ethernet, netdev veth0 MTU 1500, RDMA MTU 1024"));
    }

    @Test
    void aPortThatIsDownIsBroughtUp() throws Exception {
        machine.withRxe("rxe0", "1: DOWN");
        assertThat(examine()).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.FAIL);
            assertThat(finding.remedy()).startsWith("ip link set dev veth0 up");
        });
    }

    @Test
    void onePortThatIsUpIsEnough() throws Exception {
        machine.withRxe("rxe0", "4: ACTIVE").withRxe("rxe1", "1: DOWN");
        assertThat(examine()).extracting(Finding::severity).containsExactly(Severity.OK, Severity.WARN);
        assertThat(examine().get(1).remedy()).isEqualTo("check the cable, the far side and the subnet manager");
    }

    @ParameterizedTest
    @CsvSource({
        "9000, RDMA MTU 4096",
        "4200, RDMA MTU 4096",
        "4191, RDMA MTU 2048",
        "352, RDMA MTU 256",
        "351, too small for RDMA",
        "68, too small for RDMA"
    })
    void theRdmaMtuIsAPowerOfTwoBelowThatOfTheNetdev(int mtu, String text) throws Exception {
        machine.withRxe("rxe0", "4: ACTIVE").withMtu("veth0", mtu);
        Finding finding = examine().get(0);
        assertThat(finding.text()).endsWith("MTU " + mtu + ", " + text);
        assertThat(finding.severity()).isEqualTo(text.startsWith("too") ? Severity.FAIL : Severity.OK);
    }

    @Test
    void aMachineWithoutDeviceHasNoPort() throws Exception {
        assertThat(examine()).isEmpty();
    }
}
