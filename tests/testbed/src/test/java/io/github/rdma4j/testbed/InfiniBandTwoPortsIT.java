// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Two nodes whose adapters have two ports each at one switch, and one such node alone. */
@EnabledIf(value = "io.github.rdma4j.testbed.UmlIT#kernelIsInTheCache", disabledReason = "as in UmlIT")
@SuppressWarnings("try") // faults last as long as their blocks
class InfiniBandTwoPortsIT extends InfiniBandBed {
    @BeforeAll
    static void start() throws Exception {
        start(twoPorts().nodes(2));
    }

    private static Testbed.Builder twoPorts() {
        return builder().ports(2);
    }

    @Test
    void programsShowOneNodeWithTwoPorts() throws Exception {
        assertThat(run(one, "ibstat softib0")).contains("Number of ports: 2", "Port 2:");
        assertThat(run(one, "ibnetdiscover"))
                .contains("Ca\t2 \"H-50540000014d0002\"", "[2](505400fffe4d0202)")
                .contains("[12]\t\"H-50540000014d0002\"[2]");
        assertThat(run(one, "smpquery -P 2 -D nodeinfo 0"))
                .containsPattern("NumPorts:\\.+2\n")
                .containsPattern("LocalPort:\\.+2\n")
                .containsPattern("PortGuid:\\.+0x505400fffe4d0201\n");
        assertReached(one, "10.78.0.2");
        assertThat(run(one, "perfquery -P 2 -x")).containsPattern("PortRcvPkts:\\.+[1-9]");
        assertThat(run(one, "saquery -P 2 -c")).contains("Capability mask");
    }

    @Test
    void aCutOfOneLinkLeavesTheOtherAlone() throws Exception {
        try (Closeable cut = testbed.link(2, 2).cut()) {
            await(two, 2, "state", "DOWN");
            await(two, 1, "state", "ACTIVE");
            assertReached(one, "10.77.0.2");
        }
        await(two, 2, "state", "ACTIVE");
        assertReached(one, "10.78.0.2");
        try (Closeable cut = testbed.link(2).cut()) {
            await(two, 1, "state", "DOWN");
            assertReached(one, "10.78.0.2");
        }
        await(two, 1, "state", "ACTIVE");
        assertReached(one, "10.77.0.2");
    }

    @Test
    void aLinkIsNamedByItsPort() {
        assertThat(testbed.link(2)).hasToString("link of node 2");
        assertThat(testbed.link(2, 2)).hasToString("link of port 2 of node 2");
        assertThatThrownBy(() -> testbed.link(2, 3)).hasMessage("the nodes have ports 1 to 2, not 3");
        assertThatThrownBy(() -> builder().ports(3)).hasMessage("ports: 1 to 2, not 3");
        assertThatThrownBy(() -> twoPorts().device(Testbed.Device.RXE).start())
                .hasMessageStartingWith("several ports need the device ib");
    }

    @Test
    void aRemovedDeviceComesBackWithBothPorts() throws Exception {
        try (Closeable removed = two.removeDevice()) {
            assertThat(run(two, "rdma link")).isEmpty();
        }
        assertReached(one, "10.77.0.2");
        assertReached(one, "10.78.0.2");
    }

    @Test
    void aDeviceIsMadeOfEthernetsThatAreFree() throws Exception {
        String add = "rdma link add %s type softib netdev %s 2>&1 || exit 0; exit 1";
        assertThat(run(two, String.format(add, "other+eth1", "ctl0"))).contains("File exists");
        assertThat(run(two, String.format(add, "other", "eth1"))).contains("File exists");
        assertThat(run(two, String.format(add, "other+none", "ctl0"))).contains("No such device");
        assertThat(run(two, String.format(add, "other+ctl0", "ctl0"))).contains("Invalid argument");
        assertThat(run(two, String.format(add, "+ctl0", "ctl0"))).contains("Invalid argument");
        assertThat(run(two, "rdma link").lines()).hasSize(2);
    }

    /** The ports of a node alone are connected with each other. The seed is in the output. */
    @Test
    void randomFramesAndDatagramsForTheSecondPortHarmNobody() throws Exception {
        long seed = System.nanoTime() & 0x7fffffff;
        Path program = Path.of(
                Objects.requireNonNull(getClass().getResource("fuzz.pl")).toURI());
        try (Testbed alone = twoPorts().start()) {
            Node node = alone.node(1);
            assertThat(run(node, "ibnetdiscover")).contains("[2](505400fffe4d0002) \t\"H-50540000014d0001\"[1]");
            String unused = run(
                    node,
                    "perl " + program + " frames veth0 52:54:00:4d:00:02 5000 " + seed + " && perl " + program
                            + " datagrams umad1 1000 " + seed);
            assertNoComplaint(node);
            // A datagram may have set a key that only chance knows; the device forgets it with its end.
            try (Closeable removed = node.removeDevice()) {
                assertThat(run(node, "rdma link")).isEmpty();
            }
            assertReached(node, "10.78.0.1");
        }
    }
}
