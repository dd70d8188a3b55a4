// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** InfiniBand between three nodes and two switches, which are booted once. */
@EnabledIf(value = "io.github.rdma4j.testbed.UmlIT#kernelIsInTheCache", disabledReason = "as in UmlIT")
@SuppressWarnings("try") // faults last as long as their blocks
class InfiniBandIT extends InfiniBandBed {
    private static final String POLICY = """
            qos-levels
              qos-level
                name: DEFAULT
                sl: 0
              end-qos-level
              qos-level
                name: bulk
                sl: 3
              end-qos-level
            end-qos-levels
            qos-match-rules
              qos-match-rule
                qos-class: 8
                qos-level-name: bulk
              end-qos-match-rule
            end-qos-match-rules
            """;

    private static Node three;

    @BeforeAll
    static void start() throws Exception {
        start(builder().nodes(3).switches(2));
        three = testbed.node(3);
    }

    // ---- the fabric --------------------------------------------------------------------------------------------

    @Test
    void thePortsAreActiveUnderOneManager() throws Exception {
        for (Node node : testbed.nodes()) {
            assertThat(run(node, "ibstat softib0"))
                    .contains("State: Active", "Physical state: LinkUp", "Rate: 40", "Link layer: InfiniBand")
                    .contains("SM lid: " + Integer.decode(read(one, "lid")));
        }
        assertThat(run(two, "sminfo")).contains("SMINFO_MASTER");
        assertThat(run(three, "saquery -c")).contains("Capability mask");
    }

    @Test
    void theManagerKnowsTwoSwitchesInARow() throws Exception {
        assertThat(run(one, "ibnetdiscover"))
                .contains("\"rdma4j switch 1\"", "\"rdma4j switch 2\"", "\"node1 softib0\"", "\"node3 softib0\"");
        String path = run(one, "ibtracert 1 " + Integer.decode(read(three, "lid")));
        assertThat(path).containsSubsequence("\"rdma4j switch 1\"", "\"rdma4j switch 2\"", "\"node3 softib0\"");
    }

    @Test
    void connectionsAndGroupsReachOtherNodes() throws Exception {
        assertReached(one, "10.77.0.3");
        GuestProcess server = three.start("rping", "-s", "-C", "2", "-a", "10.77.0.3");
        String pings = run(one, "until rping -c -v -C 2 -a 10.77.0.3; do sleep 0.1; done");
        assertThat(pings).contains("ping data: rdma-ping-1");
        assertThat(server.waitFor()).isZero();

        GuestProcess member = two.start("mckey", "-m", "239.1.2.3", "-b", "10.77.0.2", "-C", "1");
        String unused = run(
                one,
                "for i in $(seq 500); do saquery -g | grep -q ff12:4001:ffff::f01:203 && exit; sleep 0.1; done; exit 1");
        member.signal(GuestProcess.Signal.KILL);
    }

    @Test
    void theSwitchCountsWhatItForwards() throws Exception {
        assertReached(one, "10.77.0.2");
        assertThat(run(one, "perfquery -x $(ibswitches | sed -n '/switch 1/s/.* lid \\([0-9]*\\) .*/\\1/p') 1"))
                .containsPattern("PortRcvPkts:\\.+[1-9]");
    }

    @Test
    void aCaptureIsReadAsInfiniBand(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("wire.pcap");
        try (Capture capture = testbed.capture()) {
            String unused = run(two, "saquery -c");
            capture.save(file);
        }
        Launched.Outcome outcome = Launched.run(new ProcessBuilder("tshark", "-r", file.toString()), new byte[0]);
        assertThat(outcome.text()).contains("SubnAdmGet(ClassPortInfo)", "SubnAdmGetResp(ClassPortInfo)");
    }

    /** A connection with type of service 8, which has service level 3, in both directions. */
    @Test
    void packetsHaveTheServiceLevelOfThePolicy(@TempDir Path directory) throws Exception {
        one.write("/run/opensm/qos-policy.conf", POLICY.getBytes(StandardCharsets.US_ASCII));
        testbed.subnetManager().restart("-Q", "-Y", "qos-policy.conf");
        assertReached(one, "10.77.0.3");
        Path file = directory.resolve("wire.pcap");
        try (Capture capture = testbed.capture()) {
            GuestProcess server = three.start("ucmatose", "-b", "10.77.0.3", "-c", "1");
            String unused = run(one, "until ucmatose -s 10.77.0.3 -c 1 -t 8; do sleep 0.1; done");
            assertThat(server.waitFor()).isZero();
            capture.save(file);
        }
        // Connected queue pairs: from send first to acknowledge.
        Launched.Outcome outcome = Launched.run(
                new ProcessBuilder(
                        "tshark",
                        "-r",
                        file.toString(),
                        "-Y",
                        "infiniband.bth.opcode < 0x20",
                        "-T",
                        "fields",
                        "-e",
                        "infiniband.lrh.slid",
                        "-e",
                        "infiniband.lrh.sl"),
                new byte[0]);
        assertThat(outcome.text().lines().distinct())
                .containsExactlyInAnyOrder(
                        Integer.decode(read(one, "lid")) + "\t3", Integer.decode(read(three, "lid")) + "\t3");
        testbed.subnetManager().restart();
    }

    // ---- faults ------------------------------------------------------------------------------------------------

    @Test
    void aCutLinkIsDownAtBothEndsUntilItIsMended() throws Exception {
        try (Closeable cut = testbed.link(2).cut()) {
            await(two, "state", "DOWN");
            String unused = run(
                    one, "for i in $(seq 500); do ibnetdiscover | grep -q node2 || exit 0; sleep 0.1; done; exit 1");
        }
        await(two, "state", "ACTIVE");
        assertReached(one, "10.77.0.2");
    }

    @Test
    void aNarrowLinkIsSlowerForTheManager() throws Exception {
        try (Closeable narrow = testbed.link(2).narrow()) {
            await(two, "rate", "^10 Gb");
            await(two, "state", "ACTIVE");
        }
        await(two, "rate", "^40 Gb");
        await(two, "state", "ACTIVE");
        assertReached(one, "10.77.0.2");
    }

    @Test
    void aSlowLinkHoldsPacketsBack() throws Exception {
        assertReached(one, "10.77.0.2");
        try (Closeable slow = testbed.link(2).slow(Duration.ofMillis(150))) {
            assertThat(run(one, "busybox ping -c 1 -W 20 10.77.0.2")).containsPattern("time=[3-9][0-9]{2}");
        }
        assertReached(one, "10.77.0.2");
    }

    @Test
    void queriesFailWhileTheManagerIsStoppedOrGone() throws Exception {
        SubnetManager manager = testbed.subnetManager();
        try (Closeable stop = manager.stop()) {
            assertThat(two.exec("saquery", "-c").status()).isNotZero();
        }
        String unused = run(two, "saquery -c");
        manager.kill();
        assertThatThrownBy(manager::stop).hasMessageContaining("No such process");
        assertThat(two.exec("saquery", "-c").status()).isNotZero();
        assertThat(read(two, "state")).contains("ACTIVE");
        manager.restart();
        unused = run(two, "until saquery -c; do sleep 0.1; done");
    }

    @Test
    void aPartitionComesAndGoes() throws Exception {
        SubnetManager manager = testbed.subnetManager();
        manager.partitions("Default=0x7fff, ipoib: ALL=full;\nsome=0x0123: ALL=full;\n");
        await(three, "pkeys/1", "0x8123");
        manager.partitions("Default=0x7fff, ipoib: ALL=full;\n");
        await(three, "pkeys/1", "0x0000");
    }

    /** Limited members reach full members, and not each other. */
    @Test
    void limitedMembersOfAPartition() throws Exception {
        SubnetManager manager = testbed.subnetManager();
        manager.partitions("Default=0x7fff, ipoib: ALL=full;\nsome=0x0123, ipoib: 0x505400fffe4d0001=full,"
                + " 0x505400fffe4d0002=limited, 0x505400fffe4d0003=limited;\n");
        await(one, "pkeys/1", "0x8123");
        await(two, "pkeys/1", "0x0123");
        await(three, "pkeys/1", "0x0123");
        for (Node node : testbed.nodes()) {
            String unused = run(
                    node,
                    "ip link add link ib0 name inside type ipoib pkey 0x8123 && ip link set inside up"
                            + " && ip addr add 10.78.0." + node.number() + "/24 dev inside");
        }
        for (Node limited : List.of(two, three)) {
            String unused =
                    run(limited, "for i in $(seq 100); do busybox ping -c 1 -W 1 10.78.0.1 && exit; done; exit 1");
        }
        assertThat(two.exec("busybox", "ping", "-c", "2", "-W", "1", "10.78.0.3")
                        .status())
                .isNotZero();
        for (Node node : testbed.nodes()) {
            String unused = run(node, "ip link del inside");
        }
        manager.partitions("Default=0x7fff, ipoib: ALL=full;\n");
        await(three, "pkeys/1", "0x0000");
    }

    @Test
    void aPortGetsAnotherLid() throws Exception {
        testbed.subnetManager().lid(three, 77);
        await(three, "lid", "0x4d");
        assertReached(one, "10.77.0.3");
        assertThatThrownBy(() -> testbed.subnetManager().lid(three, 0xc000))
                .hasMessage("a LID is 1 to 49151, not 49152");
    }

    @Test
    void aRemovedDeviceComesBack() throws Exception {
        try (Closeable removed = two.removeDevice()) {
            assertThat(run(two, "rdma link")).isEmpty();
        }
        assertReached(one, "10.77.0.2");
    }
}
