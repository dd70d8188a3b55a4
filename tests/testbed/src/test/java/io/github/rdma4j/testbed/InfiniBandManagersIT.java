// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Two nodes that were started without a subnet manager; the second node gets one. */
@EnabledIf(value = "io.github.rdma4j.testbed.UmlIT#kernelIsInTheCache", disabledReason = "as in UmlIT")
@SuppressWarnings("try") // faults last as long as their blocks
class InfiniBandManagersIT extends InfiniBandBed {
    /** A manager that has just started does not answer yet. */
    private static final String CAPABILITIES = "until saquery -c; do sleep 0.1; done";

    private static final int SEND_ONLY_FULL_MEMBERS = 1 << 12;

    private static final List<String> BEFORE = new ArrayList<>();

    private static String before;

    @BeforeAll
    static void start() throws Exception {
        start(builder().nodes(2).subnetManager(0));
        for (Node node : testbed.nodes()) {
            BEFORE.add(read(node, "state") + " " + read(node, "sm_lid"));
        }
        before = one.exec("rping", "-c", "-a", "10.77.0.1", "-C", "1").stderr();
        testbed.subnetManager(2).restart();
        await(one, "state", "ACTIVE");
        await(two, "state", "ACTIVE");
    }

    @Test
    void withoutAManagerThePortsWaitForOne() throws Exception {
        assertThat(BEFORE).containsOnly("2: INIT 0x0");
        assertThat(before).contains("rdma_resolve_route: Resource temporarily unavailable");
        assertThat(read(one, "sm_lid")).isEqualTo(read(two, "lid"));
        assertReached(one, "10.77.0.2");
        assertThatThrownBy(testbed::subnetManager)
                .hasMessage("this testbed was started without a subnet manager; name its node");
    }

    @Test
    void aDeviceComesBackWithItsManager() throws Exception {
        try (Closeable removed = two.removeDevice()) {
            assertThat(run(two, "rdma link")).isEmpty();
        }
        await(one, "state", "ACTIVE");
        assertReached(one, "10.77.0.2");
    }

    @Test
    void aSecondManagerTakesOver() throws Exception {
        // Every 10 s four times, unless told otherwise.
        one.write(
                "/run/opensm/opensm.conf",
                "sminfo_polling_timeout 200\npolling_retry_number 2\n".getBytes(StandardCharsets.US_ASCII));
        // With equal priorities, that of the lower node is the master.
        testbed.subnetManager(2).restart("-p", "5");
        testbed.subnetManager(1).restart("-p", "3");
        assertThat(read(one, "sm_lid")).isEqualTo(read(two, "lid"));
        testbed.subnetManager(2).kill();
        await(two, "sm_lid", "^" + read(one, "lid") + "$");
        assertReached(one, "10.77.0.2");
        testbed.subnetManager(1).kill();
        testbed.subnetManager(2).restart();
        await(one, "sm_lid", "^" + read(two, "lid") + "$");
    }

    /**
     * The kernel does not ask; the client of subnet administration does. With the capability, all that is granted, as
     * {@code MulticastIbIT} and {@code ManagerIbIT} show.
     */
    @Test
    void sendOnlyMembersWithoutTheCapability() throws Exception {
        assertThat(run(one, CAPABILITIES)).contains("Capability mask 2........0x0000B5E8");
        try (Closeable hidden = testbed.subnetManager(2).hideCapabilities(SEND_ONLY_FULL_MEMBERS)) {
            testbed.subnetManager(2).restart();
            assertReached(one, "10.77.0.2");
            assertThat(run(one, CAPABILITIES)).contains("Capability mask 2........0x0000A5E8");
            assertThat(probe())
                    .containsExactly(
                            "announced false",
                            "id MULTICAST_JOIN 0 [SEND_ONLY_FULL_MEMBER]",
                            "request this subnet manager does not support send-only full members (bit 12 of"
                                    + " ClassPortInfo:CapabilityMask2 is clear). Join as a full member instead",
                            "datagram [SEND_ONLY_FULL_MEMBER]");
        }
        testbed.subnetManager(2).restart();
    }

    private static List<String> probe() throws Exception {
        return one.exec(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SendOnlyProbe.class.getName(),
                        "10.77.0.1",
                        "239.88.1")
                .requireSuccess()
                .stdout()
                .lines()
                .toList();
    }
}
