// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import static io.github.rdma4j.cli.doctor.FakeMachine.GID_10_77_0_1;
import static io.github.rdma4j.cli.doctor.FakeMachine.LINK_LOCAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.doctor.Finding.Severity;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PortChecksTest {
    private FakeMachine machine;

    @TempDir
    Path root;

    @BeforeEach
    void machine() {
        machine = new FakeMachine(root).with("sys/class/infiniband/rxe0/parent", "veth0");
    }

    private FakeMachine withNetdev() {
        return machine.withNetdev("veth0", true, "10.77.0.1");
    }

    private List<Finding> ports() throws Exception {
        return PortChecks.ports(machine.survey());
    }

    @Test
    void tellsStateLinkLayerAndMtu() throws Exception {
        withNetdev().withRxe("rxe0", "4: ACTIVE");
        assertThat(ports())
                .containsExactly(Finding.ok(
                        "port rxe0/1",
                        "4: ACTIVE, 5: LinkUp, link layer Ethernet, netdev veth0 MTU 1500, RDMA MTU 1024"));
    }

    @Test
    void aPortThatIsDownIsBroughtUp() throws Exception {
        withNetdev().withRxe("rxe0", "1: DOWN");
        assertThat(ports()).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.FAIL);
            assertThat(finding.remedy()).startsWith("ip link set dev veth0 up");
        });
    }

    @Test
    void onePortThatIsUpIsEnough() throws Exception {
        withNetdev().withRxe("rxe0", "4: ACTIVE").withRxe("rxe1", "1: DOWN");
        assertThat(ports()).extracting(Finding::severity).containsExactly(Severity.OK, Severity.WARN);
        assertThat(ports().get(1).remedy()).isEqualTo("check the cable, the far side and the subnet manager");
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
        withNetdev().withRxe("rxe0", "4: ACTIVE").withMtu("veth0", mtu);
        Finding finding = ports().get(0);
        assertThat(finding.text()).endsWith("MTU " + mtu + ", " + text);
        assertThat(finding.severity()).isEqualTo(text.startsWith("too") ? Severity.FAIL : Severity.OK);
    }

    @Test
    void aMachineWithoutDeviceHasNoPort() throws Exception {
        assertThat(ports()).isEmpty();
    }

    private FakeMachine withGid() {
        return machine.withRxe("rxe0", "4: ACTIVE").withGid("rxe0", 0, LINK_LOCAL, "veth0");
    }

    private List<Finding> gids() throws Exception {
        return PortChecks.gids(machine.survey());
    }

    @Test
    void tellsTheAddressOfEachGid() throws Exception {
        withGid().withGid("rxe0", 1, GID_10_77_0_1, "veth0").withNetdev("veth0", true, "10.77.0.1", "fe80::1");
        assertThat(gids())
                .containsExactly(
                        Finding.ok(
                                "GID rxe0/1/0",
                                LINK_LOCAL + ", RoCE v2, netdev veth0, address fe80:0:0:0:e045:acff:feca:d6d6"),
                        Finding.ok("GID rxe0/1/1", GID_10_77_0_1 + ", RoCE v2, netdev veth0, address 10.77.0.1"));
    }

    @Test
    void aGidWithoutItsAddressIsNoUse() throws Exception {
        withGid().withGid("rxe0", 1, GID_10_77_0_1, "veth0").withNetdev("veth0", true, "10.99.0.1");
        assertThat(gids().get(1))
                .isEqualTo(Finding.warn(
                        "GID rxe0/1/1",
                        GID_10_77_0_1 + ", RoCE v2, netdev veth0, but that has no address 10.77.0.1",
                        "ip addr add 10.77.0.1/24 dev veth0"));
    }

    @Test
    void aNetdevWithoutAddressGetsOne() throws Exception {
        withGid().withNetdev("veth0", true, "fe80::1");
        assertThat(gids().get(1))
                .isEqualTo(Finding.warn(
                        "netdev veth0",
                        "it has no IPv4 address and no IPv6 address beyond link-local ones",
                        "ip addr add 10.0.0.1/24 dev veth0"));
    }

    @Test
    void aNetdevWithoutAnyAddressIsStillThere() throws Exception {
        withGid().withNetdev("veth0", true);
        assertThat(gids().get(1).text()).startsWith("it has no IPv4 address");
    }

    @Test
    void aNetdevThatIsDownIsBroughtUp() throws Exception {
        withGid().withNetdev("veth0", false, "10.77.0.1");
        assertThat(gids().get(1)).isEqualTo(Finding.fail("netdev veth0", "it is down", "ip link set dev veth0 up"));
    }

    @Test
    void aNetdevOfAnotherNamespaceNeedsTheHostsNetwork() throws Exception {
        withGid().inContainer();
        Finding finding = gids().get(1);
        assertThat(finding.severity()).isEqualTo(Severity.FAIL);
        assertThat(finding.text()).contains("another network namespace").contains("before Linux 7.1");
        assertThat(finding.remedy()).contains("--network=host");
    }

    @Test
    void onePortWithAddressIsEnough() throws Exception {
        withGid()
                .withNetdev("veth0", false)
                .withNetdev("veth1", true, "10.77.0.1")
                .withRxe("rxe1", "4: ACTIVE");
        machine.withGid("rxe1", 0, GID_10_77_0_1, "veth1");
        assertThat(gids()).extracting(Finding::severity).containsExactly(Severity.OK, Severity.WARN, Severity.OK);
    }

    @Test
    void anEmptyTableIsFilledAnew(@TempDir Path other) throws Exception {
        FakeMachine empty = new FakeMachine(other)
                .withRxe("rxe0", "4: ACTIVE")
                .with("sys/class/infiniband/rxe0/parent", "veth0")
                .withNetdev("veth0", true, "10.77.0.1");
        assertThat(PortChecks.gids(empty.survey())).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.FAIL);
            assertThat(finding.text()).contains("the GID table is empty");
        });
    }

    @Test
    void aRocePortWithoutNetdevIsReported(@TempDir Path other) throws Exception {
        FakeMachine empty = new FakeMachine(other).withRxe("rxe0", "4: ACTIVE");
        assertThat(PortChecks.gids(empty.survey()))
                .containsExactly(Finding.fail("GIDs rxe0/1", "no network interface is known", "rdma link show rxe0/1"));
    }

    @Test
    void infinibandNeedsNoNetdev(@TempDir Path other) throws Exception {
        FakeMachine infiniband = new FakeMachine(other)
                .withRxe("ib0", "4: ACTIVE")
                .with("sys/class/infiniband/ib0/ports/1/link_layer", "InfiniBand");
        assertThat(PortChecks.gids(infiniband.survey()))
                .extracting(Finding::severity)
                .containsExactly(Severity.FAIL);
        infiniband.withGid("ib0", 0, LINK_LOCAL, "");
        assertThat(PortChecks.gids(infiniband.survey()))
                .containsExactly(Finding.ok("GID ib0/1/0", LINK_LOCAL + ", RoCE v2"));
    }
}
