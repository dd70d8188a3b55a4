// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.interop.PatientMckey;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.testbed.TestbedMain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Multicast between two guests on one Ethernet: ours and C's mckey on either side, and what is on the wire, which tshark
 * decodes. The guests are booted once; {@link MulticastScenes} is what runs there.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Nightly
class TwoNodesMulticastTest {
    private static final String VERIFIED =
            "10 of 10 messages received, 0 lost, 10 verified, 0 of another program, 0 duplicate, 0 damaged";
    private static final String OF_C =
            "10 of 10 messages received, 0 lost, 0 verified, 10 of another program, 0 duplicate, 0 damaged";

    /** Record types of IGMP version 3: what a host says when it joins and leaves a group, of all sources. */
    private static final String JOINED = "4";

    private static final String LEFT = "3";

    @TempDir
    private static Path directory;

    private static String report;
    private static List<IgmpRecord> igmp;
    private static List<String> datagrams;

    /** A host says something about a group. */
    private record IgmpRecord(String host, String type, String group) {}

    @BeforeAll
    static void run() throws Exception {
        PatientMckey.compile(directory);
        Path capture = directory.resolve("wire.pcap");
        List<String> command = new ArrayList<>(Program.java(TestbedMain.class, "run", "--nodes", "2"));
        command.addAll(List.of("--kernel", System.getProperty("rdma4j.test.kernel", "6.1")));
        command.addAll(List.of("--memory", "1536", "--pcap", capture.toString(), "--timeout", "300", "--"));
        command.addAll(Program.java(MulticastScenes.class, directory.toString()));
        try (Program guests = Program.start(command)) {
            report = guests.success(Duration.ofSeconds(350));
        }
        igmp = igmpRecords(capture);
        datagrams = decode(capture, "udp.dstport == 4791 && ip.dst == 239.77.8.0/24", "ip.src", "ip.dst");
    }

    private static List<String> decode(Path capture, String filter, String... fields) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", capture.toString(), "-Y", filter));
        command.addAll(List.of("-T", "fields", "-E", "separator=;"));
        for (String field : fields) {
            command.addAll(List.of("-e", field));
        }
        try (Program tshark = Program.start(command)) {
            return tshark.success().lines().filter(line -> line.contains(";")).toList();
        }
    }

    // A report may have several records; tshark separates them by commas.
    private static List<IgmpRecord> igmpRecords(Path capture) throws InterruptedException {
        List<IgmpRecord> all = new ArrayList<>();
        for (String line : decode(capture, "igmp", "ip.src", "igmp.record_type", "igmp.maddr")) {
            String[] fields = line.split(";", -1);
            String[] types = fields[1].split(",", -1);
            String[] groups = fields[2].split(",", -1);
            for (int i = 0; i < types.length; i++) {
                all.add(new IgmpRecord(fields[0], types[i], groups[i]));
            }
        }
        return all;
    }

    private static List<String> lines(String finding) {
        return report.lines()
                .filter(line -> line.startsWith(finding + ": "))
                .map(line -> line.substring(finding.length() + 2))
                .toList();
    }

    @Test
    void oneSenderReachesThreeReceiversOnBothNodes() {
        assertThat(lines("sender")).as(report).contains("return status 0");
        assertThat(lines("near")).contains("mckey: " + MulticastScenes.SHARED + ": " + VERIFIED);
        assertThat(lines("far")).contains("mckey: " + MulticastScenes.SHARED + ": " + VERIFIED);
        assertThat(lines("c")).contains("return status 0");
    }

    @Test
    void aProcessIsInSeveralGroups() {
        assertThat(lines("far"))
                .as(report)
                .contains(
                        "mckey: " + MulticastScenes.SECOND + ": " + VERIFIED,
                        "mckey: " + MulticastScenes.THIRD + ": " + VERIFIED);
    }

    @Test
    void oursReceivesFromTheOtherNodesC() {
        assertThat(lines("from c")).as(report).contains("mckey: " + MulticastScenes.FROM_C + ": " + OF_C);
        assertThat(lines("from c that only sends"))
                .contains("mckey: " + MulticastScenes.FROM_C_SEND_ONLY + ": " + OF_C);
    }

    @Test
    void countsLostMessages() {
        Matcher counts = Pattern.compile("(\\d+) of 200 messages received, (\\d+) lost")
                .matcher(String.join("\n", lines("lossy")));
        assertThat(counts.find()).as(report).isTrue();
        int received = Integer.parseInt(counts.group(1));
        int lost = Integer.parseInt(counts.group(2));
        assertThat(received + lost).isEqualTo(200);
        assertThat(received).isPositive();
        assertThat(lost).isPositive();
        assertThat(datagrams.stream().filter(line -> line.endsWith(";" + MulticastScenes.LOSSY)))
                .hasSize(received);
    }

    /** Each message once, however many receive it. */
    @Test
    void theWireCarriesOneCopyOfEachMessage() {
        for (String group : List.of(MulticastScenes.SHARED, MulticastScenes.SECOND, MulticastScenes.THIRD)) {
            assertThat(datagrams.stream().filter(line -> line.equals(MulticastScenes.HERE + ";" + group)))
                    .as(group)
                    .hasSize(10);
        }
        assertThat(datagrams.stream().filter(line -> line.equals(MulticastScenes.THERE + ";" + MulticastScenes.FROM_C)))
                .hasSize(10);
    }

    @Test
    void aFullMemberIsReported() {
        assertThat(igmp)
                .contains(
                        new IgmpRecord(MulticastScenes.THERE, JOINED, MulticastScenes.SHARED),
                        new IgmpRecord(MulticastScenes.THERE, LEFT, MulticastScenes.SHARED),
                        new IgmpRecord(MulticastScenes.HERE, JOINED, MulticastScenes.SHARED),
                        new IgmpRecord(MulticastScenes.THERE, JOINED, MulticastScenes.FROM_C));
    }

    /** Ours and C's: neither joining nor leaving says anything. */
    @Test
    void oneThatOnlySendsIsNot() {
        assertThat(igmp).contains(new IgmpRecord(MulticastScenes.HERE, JOINED, MulticastScenes.SHARED));
        assertThat(igmp).noneMatch(said -> said.group().equals(MulticastScenes.SEND_ONLY));
        assertThat(igmp)
                .noneMatch(said -> said.host().equals(MulticastScenes.HERE)
                        && List.of(MulticastScenes.SECOND, MulticastScenes.THIRD)
                                .contains(said.group()));
        assertThat(igmp)
                .noneMatch(said -> said.host().equals(MulticastScenes.THERE)
                        && said.group().equals(MulticastScenes.FROM_C_SEND_ONLY));
        assertThat(lines("of one that only sent")).containsExactly("0");
    }

    @Test
    void itsLeaveKeepsTheFullMemberOfTheHostSubscribed() {
        assertThat(lines("after a send-only leave")).as(report).containsExactly("1");
        assertThat(lines("after the leave")).containsExactly("0");
        // Seconds after the send-only leave, and before the full member's own.
        IgmpRecord later = new IgmpRecord(MulticastScenes.HERE, JOINED, MulticastScenes.SHARED);
        IgmpRecord left = new IgmpRecord(MulticastScenes.HERE, LEFT, MulticastScenes.BOTH);
        assertThat(igmp).contains(new IgmpRecord(MulticastScenes.HERE, JOINED, MulticastScenes.BOTH), later, left);
        assertThat(igmp.subList(0, igmp.indexOf(later))).doesNotContain(left);
    }
}
