// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programmatic API with two nodes, which are booted once. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("try") // faults last as long as their blocks, or end earlier
class TwoNodesIT {
    private static final int ICMP = 1;

    private static Testbed testbed;
    private static Node one;
    private static Node two;

    @BeforeAll
    static void start() throws Exception {
        testbed = Testbed.builder().nodes(2).memoryMib(1024).start();
        one = testbed.node(1);
        two = testbed.node(2);
    }

    @AfterAll
    static void stop() throws Exception {
        testbed.close();
    }

    private static int ping(Node from, Node to, String seconds) throws Exception {
        String address = to.ipv4Address().getHostAddress();
        return from.exec("busybox", "ping", "-c", "1", "-W", seconds, address).status();
    }

    private static void assertLost(Node from, Node to) throws Exception {
        assertThat(ping(from, to, "1")).isEqualTo(1);
    }

    private static void assertReached(Node from, Node to) throws Exception {
        assertThat(ping(from, to, "30")).isZero();
    }

    private static void rping() throws Exception {
        GuestProcess server = two.start("rping", "-s", "-C", "1", "-a", "10.77.0.2");
        one.exec("sh", "-c", "until rping -c -C 1 -a 10.77.0.2; do sleep 0.1; done")
                .requireSuccess();
        assertThat(server.waitFor()).isZero();
    }

    @Test
    void eachNodeRunsCommandsOfItsOwn() throws Exception {
        assertThat(one.exec("sh", "-c", "echo $RDMA4J_NODE").stdout()).isEqualTo("1\n");
        assertThat(two.exec("sh", "-c", "echo $RDMA4J_NODE").stdout()).isEqualTo("2\n");
        assertThat(two.networkDevice()).isEqualTo("eth0");
        rping();
    }

    @Test
    void aCaptureHasTheFramesOfItsTime(@TempDir Path directory) throws Exception {
        assertReached(one, two);
        try (Capture capture = testbed.capture()) {
            rping();
            Capture.EthernetFrame connect = capture.await(
                            frame -> frame.roceQueuePair().orElse(0) == 1, Duration.ofSeconds(30))
                    .orElseThrow();
            assertThat(connect.udpPort()).hasValue(Capture.EthernetFrame.ROCE_PORT);
            assertThat(connect.roceOpcode()).as("a datagram").hasValue(0x64);
            assertThat(capture.await(frame -> false, Duration.ofMillis(10))).isEmpty();
            List<Capture.EthernetFrame> first = capture.stream().limit(3).toList();
            assertThat(first).isEqualTo(capture.frames().subList(0, 3));
            capture.save(directory.resolve("wire.pcap"));
            ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(directory.resolve("wire.pcap")))
                    .order(ByteOrder.nativeOrder());
            assertThat(file.getInt(0)).isEqualTo(0xa1b23c4d);
            assertThat(file.getInt(24 + 8)).isEqualTo(first.get(0).bytes().length);
            capture.close();
            int frames = capture.frames().size();
            assertReached(one, two);
            assertThat(capture.frames()).hasSize(frames);
            assertThat(capture.stream().count()).isEqualTo(frames);
            assertThat(capture.dropped()).isZero();
        }
    }

    @Test
    void lossAffectsWhatTheNodeSends() throws Exception {
        assertReached(one, two);
        try (Capture capture = testbed.capture();
                Closeable loss = two.impair(Netem.loss(100))) {
            assertThat(loss.toString()).contains("loss 100.0000%", "node 2");
            assertThatThrownBy(() -> two.impair(Netem.loss(1))).hasMessageContaining("close them first");
            assertLost(one, two);
            assertThat(capture.frames()).as("the request was sent").anyMatch(frame -> isIcmp(frame, 8));
            assertThat(capture.frames()).as("the answer was lost").noneMatch(frame -> isIcmp(frame, 0));
        }
        assertReached(one, two);
    }

    private static boolean isIcmp(Capture.EthernetFrame frame, int type) {
        byte[] bytes = frame.bytes();
        return frame.etherType() == 0x0800 && bytes[23] == ICMP && bytes[34] == type;
    }

    @Test
    void delayDuplicationReorderingAndCorruptionAreTakenByTheKernelAndGoAgain() throws Exception {
        Netem netem = Netem.builder()
                .delay(Duration.ofMillis(300))
                .jitter(Duration.ofMillis(10))
                .duplicate(100)
                .reorder(1)
                .corrupt(0.001)
                .build();
        assertReached(one, two);
        try (Capture capture = testbed.capture();
                Closeable fault = one.impair(netem)) {
            assertThat(one.exec("tc", "qdisc", "show", "dev", "eth0").stdout())
                    .contains("netem", "delay 300ms", "duplicate 100%", "reorder 1%", "corrupt 0.001");
            assertReached(one, two);
            assertThat(fault).isNotNull();
            AtomicInteger requests = new AtomicInteger();
            assertThat(capture.await(
                            frame -> isIcmp(frame, 8) && requests.incrementAndGet() == 2, Duration.ofSeconds(30)))
                    .as("the request again")
                    .isPresent();
        }
        assertThat(one.exec("tc", "qdisc", "show", "dev", "eth0").stdout()).doesNotContain("netem");
        assertThatThrownBy(() -> Netem.builder().reorder(10).build()).hasMessageContaining("need a delay");
    }

    @Test
    void aPartitionStopsBothDirectionsAndHeals() throws Exception {
        assertReached(one, two);
        try (Closeable partition = testbed.partition(one, two);
                Closeable twice = testbed.partition(two, one)) {
            assertLost(one, two);
            assertLost(two, one);
            assertThat(two.exec("true").status())
                    .as("this program reaches both")
                    .isZero();
            twice.close();
            assertThat(partition).isNotNull();
            assertLost(one, two);
        }
        assertReached(one, two);
        assertReached(two, one);
        assertThatThrownBy(() -> testbed.partition(one, one)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFrozenNodeDoesNothingUntilItIsThawed() throws Exception {
        assertReached(one, two);
        try (Closeable freeze = two.freeze()) {
            assertThat(freeze).hasToString("freeze of node 2");
            assertLost(one, two);
            assertThatThrownBy(() -> two.exec(Command.builder("true")
                            .timeout(Duration.ofMillis(500))
                            .build()))
                    .isInstanceOf(CommandTimeoutException.class);
        }
        assertReached(one, two);
        GuestProcess waiting = two.start("echo", "alive");
        assertThat(waiting.waitFor()).isZero();
    }

    @Test
    void aPeerThatIsKilledIsNoticed() throws Exception {
        GuestProcess server = two.start("rping", "-s", "-P", "-v", "-a", "10.77.0.2");
        GuestProcess client = one.start(
                "sh",
                "-c",
                "until rping -c -C 1 -a 10.77.0.2 2> /dev/null; do sleep 0.1; done; exec rping -c -a 10.77.0.2");
        assertThat(server.stdout().read()).as("they talk").isPositive();

        server.signal(GuestProcess.Signal.KILL);

        assertThat(server.waitFor()).isEqualTo(137);
        String complaint = new String(client.stderr().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(complaint)
                .as("by the event, or before it by a request that the dead peer's kernel refuses")
                .containsAnyOf("client DISCONNECT EVENT", "cq completion failed status");
        client.waitFor();
    }
}
