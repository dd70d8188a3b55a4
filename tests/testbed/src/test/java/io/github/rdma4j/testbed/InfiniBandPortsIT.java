// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What a subnet manager sets at the ports of two nodes, and what the ports report to it. */
@EnabledIf(value = "io.github.rdma4j.testbed.UmlIT#kernelIsInTheCache", disabledReason = "as in UmlIT")
class InfiniBandPortsIT extends InfiniBandBed {
    private static final String LOG = "/run/opensm/log";
    private static final String CONFIGURATION = "/run/opensm/opensm.conf";

    @BeforeAll
    static void start() throws Exception {
        start(builder().nodes(2));
    }

    @AfterEach
    void theManagerIsAsItWas() throws Exception {
        withoutKey();
        testbed.subnetManager().partitions("Default=0x7fff, ipoib: ALL=full;\n");
    }

    private static void withoutKey() throws Exception {
        one.write(CONFIGURATION, "m_key 0\n".getBytes(StandardCharsets.US_ASCII));
    }

    private static int lidOfTwo() throws Exception {
        return Integer.decode(read(two, "lid"));
    }

    @Test
    void whoDoesNotKnowTheKeyOfAPortIsRefusedAndReported() throws Exception {
        one.write(
                CONFIGURATION,
                "m_key 0x1234\nm_key_protection_level 2\nm_key_lease_period 60\n".getBytes(StandardCharsets.US_ASCII));
        testbed.subnetManager().restart();
        String query = "smpquery -t 200 portinfo " + lidOfTwo();
        // A query may also fail because the machine is busy: the port says that it has refused one.
        until(one, "{ " + query + "; grep -q 'num:256 (Bad M_Key)' " + LOG + "; }");
        assertThat(run(one, "smpquery -y 0x1234 portinfo " + lidOfTwo()))
                .containsPattern("ProtectBits:\\.+2")
                .containsPattern("MkeyViolations:\\.+[1-9]");
        until(one, "! " + query);
        // A port of this node refuses at once: OpenSM waits for ever for an answer that it was not told not to expect.
        assertThat(one.exec("sh", "-c", "smpquery -D portinfo 0").stderr()).contains("Invalid argument");

        withoutKey();
        testbed.subnetManager().restart();
        until(one, query);
    }

    @Test
    void aPacketOfAnotherPartitionIsCountedAndReported() throws Exception {
        testbed.subnetManager().partitions("Default=0x7fff, ipoib: ALL=full;\nsome=0x0123: 0x505400fffe4d0001=full;\n");
        await(one, "pkeys/1", "0x8123");
        String program = Path.of(Objects.requireNonNull(getClass().getResource("fuzz.pl"))
                        .toURI())
                .toString();
        assertThat(run(one, "perl " + program + " query umad0 " + lidOfTwo() + " 0"))
                .isEqualTo("status 0\n");
        assertThat(run(one, "perl " + program + " query umad0 " + lidOfTwo() + " 1"))
                .as("no answer in time")
                .isEqualTo("status 110\n");
        until(one, "grep -q 'num:257 (Bad P_Key)' " + LOG);
        assertThat(run(one, "smpquery portinfo " + lidOfTwo())).containsPattern("PkeyViolations:\\.+1\n");
    }

    @Test
    void anotherNameOfANodeIsReported() throws Exception {
        String unused = run(two, "printf another > /sys/class/infiniband/softib0/node_desc");
        until(one, "grep -q 'num:144' " + LOG);
        assertThat(run(one, "smpquery nodedesc " + lidOfTwo())).contains("another");
    }

    @Test
    void aPortAnswersToAllOfItsLids() throws Exception {
        testbed.subnetManager().restart("-l", "2");
        await(two, "lid_mask_count", "2");
        for (int lid = lidOfTwo(); lid < lidOfTwo() + 4; lid++) {
            assertThat(run(one, "smpquery nodedesc " + lid)).contains("Node Description");
        }
        testbed.subnetManager().restart("-l", "0");
        await(two, "lid_mask_count", "0");
    }
}
