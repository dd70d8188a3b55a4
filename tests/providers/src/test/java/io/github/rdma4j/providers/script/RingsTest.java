// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.Drivers;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the scripts that are compared with the libraries do not do, and what all providers do alike. */
class RingsTest extends PlayedRings {
    private static final String SEND = " send s 0 0 0 0 0 - 0 0 0:10:45a";

    private static final List<String> OF_CONNECTX =
            List.of("cq A 10", "cq B 10", "srq S 5 2", "qp Q rc A A - 10 5 2 2 64 0", "qp T rc A A S 4 0 1 0 20 0");

    /** The queues of a test, by the name of the driver. */
    private static final Map<String, List<String>> QUEUES = Map.of(
            "mlx4",
            OF_CONNECTX,
            "mlx5",
            OF_CONNECTX,
            "erdma",
            List.of("cq A 10", "cq B 10", "qp Q rc A A - 4 4 6 1 96 0"),
            "irdma",
            List.of("cq A 10", "cq B 10", "qp Q rc A A - 4 4 2 2 40 0"),
            "bnxt_re",
            List.of("cq A 10", "cq B 10", "qp Q rc A A - 4 4 2 2 40 0"));

    private static Mode mode(String device) {
        String[] words = device.split(" ", -1);
        return Drivers.of(words[0]).orElseThrow().mode(words[1]);
    }

    /** Opens a device, the names of its driver and its mode, and makes its queues. */
    private void open(String device) throws RdmaException {
        open(
                mode(device),
                Objects.requireNonNull(QUEUES.get(device.split(" ", -1)[0])).toArray(String[]::new));
    }

    // ---- limits

    @ParameterizedTest
    @CsvSource({
        "mlx4 roce, qp X rc A A - 32769 1 1 1 0 0, maxSendWr is 32769; with these capacities the device takes 0 to 32768",
        "mlx4 roce, qp X rc A A - 1 1 62 1 0 0, maxSendSge is 62; with these capacities the device takes 0 to 61",
        "mlx4 roce, qp X rc A A - 1 1 1 1 913 0, maxInline is 913; with these capacities the device takes 0 to 912",
        "mlx4 roce, qp X ud A A - 1 1 60 1 0 0, maxSendSge is 60; with these capacities the device takes 0 to 59",
        "mlx4 roce, qp X ud A A - 1 1 1 1 885 0, maxInline is 885; with these capacities the device takes 0 to 884",
        "mlx4 roce, qp X rc A A - 1 32769 1 1 0 0, maxReceiveWr is 32769; with these capacities the device takes 0 to 32768",
        "mlx4 roce, qp X rc A A - 1 1 1 63 0 0, maxReceiveSge is 63; with these capacities the device takes 0 to 62",
        "mlx4 roce, srq X 65536 1, maxReceiveWr is 65536; with these capacities the device takes 0 to 65535",
        "mlx4 roce, srq X 1 63, maxReceiveSge is 63; with these capacities the device takes 0 to 62",
        "mlx4 roce, cq X 4194304, a completion queue of 4194304 entries; it has 1 to 4194303",
        "mlx5 roce, qp X rc A A - 8193 1 1 1 0 0, maxSendWr is 8193; with these capacities the device takes 0 to 8192",
        "mlx5 roce, qp X rc A A - 1 1 53 1 0 0, maxSendSge is 53; with these capacities the device takes 0 to 52",
        "mlx5 roce, qp X rc A A - 1 1 1 1 829 0, maxInline is 829; with these capacities the device takes 0 to 828",
        "mlx5 roce, qp X ud A A - 1 1 60 1 0 0, maxSendSge is 60; with these capacities the device takes 0 to 59",
        "mlx5 roce, qp X ud A A - 1 1 1 1 941 0, maxInline is 941; with these capacities the device takes 0 to 940",
        "mlx5 roce, qp X rc A A - 1 32769 1 1 0 0, maxReceiveWr is 32769; the device takes 0 to 32768",
        "mlx5 roce, qp X rc A A - 1 1 1 33 0 0, maxReceiveSge is 33; the device takes 0 to 32",
        "mlx5 roce, srq X 32768 1, maxReceiveWr is 32768; the device takes 0 to 32767",
        "mlx5 roce, srq X 1 32, maxReceiveSge is 32; the device takes 0 to 31",
        "mlx5 roce, cq X 16777216, a completion queue of 16777216 entries; it has 1 to 16777215",
        "erdma shared, qp P rc A A - 8193 1 1 1 0 0, maxSendWr is 8193; the device takes 0 to 8192",
        "erdma shared, qp P rc A A - 1 32769 1 1 0 0, maxReceiveWr is 32769; the device takes 0 to 32768",
        "erdma shared, qp P rc A A - 1 1 7 1 0 0, maxSendSge is 7; the device takes 0 to 6",
        "erdma shared, qp P rc A A - 1 1 1 2 0 0, maxReceiveSge is 2; the device takes 0 to 1",
        "erdma shared, qp P rc A A - 1 1 1 1 97 0, maxInline is 97; the device takes 0 to 96",
        "erdma shared, cq B 16777217, the number of completions is 16777217; the device takes 1 to 16777216",
        "irdma roce, qp P rc A A - 32511 1 1 1 0 0, maxSendWr is 32511; the device takes 0 to 16255",
        "irdma roce, qp P rc A A - 1 32768 1 1 0 0, maxReceiveWr is 32768; the device takes 0 to 32767",
        "irdma roce, qp P rc A A - 1 1 14 1 0 0, maxSendSge is 14; the device takes 0 to 13",
        "irdma roce, qp P rc A A - 1 1 1 14 0 0, maxReceiveSge is 14; the device takes 0 to 13",
        "irdma roce, qp P rc A A - 1 1 1 1 102 0, maxInline is 102; the device takes 0 to 101",
        "irdma x722, qp P rc A A - 1 1 4 1 0 0, maxSendSge is 4; the device takes 0 to 3",
        "irdma x722, qp P rc A A - 1 1 1 1 49 0, maxInline is 49; the device takes 0 to 48",
        "irdma i40iw, qp P rc A A - 1791 1 1 1 0 0, maxSendWr is 1791; the device takes 0 to 1790",
        "irdma roce, cq B 524287, the number of completions is 524287; the device takes 1 to 524286",
        "irdma gen3, srq T 1 15, maxReceiveSge of a shared receive queue is 15; the device takes 0 to 14",
        "irdma gen3, srq T 262144 1, maxReceiveWr of a shared receive queue is 262144; the device takes 0 to 262143",
        "irdma gen3, srq T 32768 14, maxReceiveWr of a shared receive queue is 32768; the device takes 0 to 32767",
        "irdma gen3, qp T rc A A - 1 1 1 1 217 0, maxInline is 217; the device takes 0 to 216",
        "irdma gen3, cq B 1048574, the number of completions is 1048574; the device takes 1 to 1048573",
        "bnxt_re p5, qp P rc A A - 65537 1 1 1 0 0, maxSendWr is 65537; the device takes 0 to 65536",
        "bnxt_re p5, qp P rc A A - 1 65537 1 1 0 0, maxReceiveWr is 65537; the device takes 0 to 65536",
        "bnxt_re p5, qp P rc A A - 1 1 7 1 0 0, maxSendSge is 7; the device takes 0 to 6",
        "bnxt_re p5, qp P rc A A - 1 1 1 7 0 0, maxReceiveSge is 7; the device takes 0 to 6",
        "bnxt_re p7, qp P rc A A - 1 1 14 1 0 0, maxSendSge is 14; the device takes 0 to 13",
        "bnxt_re p7, qp P rc A A - 1 1 1 1 97 0, maxInline is 97; the device takes 0 to 96",
        "bnxt_re p7, srq S 10 7, maxReceiveSge of a shared receive queue is 7; the device takes 0 to 6",
        "bnxt_re p4, cq B 512, a completion queue of 512 entries; it has 1 to 511"
    })
    void saysWhatTheDeviceTakes(String device, String line, String message) throws RdmaException {
        open(device);
        assertRefused(line).hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({
        "erdma shared, read s 0 0 0 0 0 - 0 0 0:8:1 8:8:1, an RDMA read into 2 pieces of memory; erdma reads into 1",
        "erdma shared, cas s 0 0 0 0 0 - 0 0, an atomic operation into 0 pieces of memory; it takes 1",
        "erdma shared, bind s 0 0 0 0 0 - 0 0 0:8:1, the provider of erdma has no operation 8",
        "irdma roce, cas s 0 0 0 0 0 - 0 0 0:8:1, 'an atomic operation, which the device does not support'",
        "irdma roce, fadd s 0 0 0 0 0 - 0 0 0:8:1, 'an atomic operation, which the device does not support'",
        "irdma gen3, fadd s 0 0 0 0 0 - 0 0 0:4:1 4:4:1, an atomic operation into 2 pieces of memory; it takes 1",
        "irdma iwarp, send_imm s 0 0 0 0 0 - 0 0, 'immediate data of a send, which iWARP does not have'",
        "irdma x722, write_imm s 0 0 0 0 0 - 0 0, 'immediate data of an RDMA write, which X722 does not send'",
        "irdma x722, read s 0 0 0 0 0 - 0 0 0:8:1 8:8:1, an RDMA read into 2 pieces of memory; the device reads into 1",
        "irdma roce, send s 0 0 0 0 0 - 0 0 0:8:1 8:8:1 16:8:1, the work request grew while it was posted: to 3 where",
        "bnxt_re p5, send_inv s 0 0 0 0 0 - 0 0, the provider of bnxt_re has no operation 9: no memory windows",
        "bnxt_re p5, local_inv s 0 0 0 0 0 - 0 0, the provider of bnxt_re has no operation 7: no memory windows",
        "bnxt_re p5, bind s 0 0 0 0 0 - 0 0, the provider of bnxt_re has no operation 8: no memory windows",
        "bnxt_re p7, cas s 0 0 0 0 0 - 0 0 0:4:1 4:4:1, the work request grew while it was posted: to 2 where",
        "bnxt_re p7, send s 0 0 0 0 0 - 0 0 0:8:1 8:8:1 16:8:1, the work request grew while it was posted: to 3 where",
        "bnxt_re p7, write i 0 0 0 0 0 - 0 0 0:41:1, the work request grew while it was posted: to 41 where"
    })
    void refusesWhatTheDeviceDoesNotHave(String device, String request, String message) throws RdmaException {
        open(device);
        assertRefused("send Q 1 " + request).hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mlx4 roce", "mlx5 roce"})
    void anAddressOnEthernetIsGlobal(String device) throws RdmaException {
        PlayedDriver driver = mode(device).open();
        DriverContext context = driver.provider().context(driver.device()).finish(driver.contextReply());
        AhAttr local = new AhAttr(new Gid(0, 0), 0, 0, 0, 0, 7, 0, 0, 0, false, 1);
        Created.Pd domain = new Created.Pd(1, ByteBuffer.allocate(8));
        assertThatThrownBy(() -> context.addressHandle(domain, local))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be global");
    }

    // ---- requests that are taken back

    @ParameterizedTest
    @CsvSource({
        "mlx4 roce, si, 0:60:0, '  wqe 1 0000000a', cqe A Q a 1 1 0 0 0 0 0 0 0",
        "mlx5 roce, si, 0:60:0, '  wqe 1 0000010a', cqe A Q 0 1 a 0 0 0 0 0",
        "erdma shared, s, 0:10:45a, '  wqe 1 ', cqe A Q 2 0 1 0 0 0"
    })
    void theNextRequestTakesThePlaceOfWhatWasTakenBack(
            String device, String flags, String piece, String element, String entry) throws RdmaException {
        open(device);
        play("send Q 1" + SEND, "chain Q 2 send " + flags + " 0 0 0 0 0 - 0 0 " + piece);
        player().discard();
        assertThat(outcome("send Q 3" + SEND)).anyMatch(line -> line.startsWith(element));
        play(entry);
        assertThat(completions("poll A 2")).containsExactly("  completion 3 status 0 qp 100 opcode 0");
    }

    @ParameterizedTest
    @CsvSource({"mlx4 roce, cqe A Q a 0 1 0 0 0 0 0 0 0", "mlx5 roce, cqe A Q 0 0 a 0 0 0 0 0"})
    void whatWasTakenBackCompletesNothing(String device, String entry) throws RdmaException {
        open(device);
        play("chain Q 1" + SEND);
        player().discard();
        play(entry);
        assertThat(outcome("poll A 1")).contains("  polled 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mlx4 roce", "mlx5 roce", "erdma shared", "irdma roce", "bnxt_re p5"})
    void whatWasTakenBackLeavesRoom(String device) throws RdmaException {
        open(device);
        for (int i = 0; i < 2000; i++) {
            play("chain Q 1" + SEND);
            player().discard();
        }
        assertThat(outcome("send Q 1" + SEND)).contains("  posted 1 of 1");
    }

    // ---- completions that mean nothing

    /**
     * What is posted, and the entries that complete it.
     *
     * @param posts lines that post
     * @param entries lines that complete all of it, some of them twice
     * @param completions what polls find then
     */
    private record Posted(List<String> posts, List<String> entries, List<String> completions) {}

    private static Posted posted(String driver) {
        String sent = "  completion 1 status 0 qp 100 opcode 0";
        String received = "  completion 2 status 0 qp 100 opcode 128 bytes ";
        String shared = "  completion 3 status 0 qp 101 opcode 128 bytes 9";
        List<String> onShared = List.of("send Q 1" + SEND, "recv Q 2 0:10:1", "recv S 3 0:10:1", "recv S 4 0:10:1");
        List<String> both = List.of("send Q 1" + SEND, "recv Q 2 0:10:1");
        return switch (driver) {
            case "mlx4" ->
                posted(
                        onShared,
                        List.of(
                                "cqe A Q a 0 1 0 0 0 0 0 0 0",
                                "cqe A Q 1 0 0 9 0 0 0 0 0 0",
                                "cqe A T 1 0 0 9 0 0 0 0 0 0"),
                        sent,
                        received + 9,
                        shared);
            case "mlx5" ->
                posted(
                        onShared,
                        List.of("cqe A Q 0 0 a 0 0 0 0 0", "cqe A Q 2 0 0 9 0 0 0 0", "cqe A T 2 0 0 9 0 0 0 0"),
                        sent,
                        received + 9,
                        shared);
            case "erdma" -> posted(both, List.of("cqe A Q 2 0 0 0 0 0", "cqe A Q 4 1 0 0 10 0"), sent, received + 10);
            case "irdma" ->
                posted(both, List.of("cqe A Q 3 1 0 0 0 0 - 0 0", "cqe A Q 0 0 0 0 10 0 - 0 0"), sent, received + 0);
            default ->
                posted(
                        List.of("send Q 1" + SEND, "send Q 2" + SEND),
                        List.of("cqe A Q 0 0 1 0 0 0 0"),
                        sent,
                        "  completion 2 status 0 qp 100 opcode 0");
        };
    }

    private static Posted posted(List<String> posts, List<String> entries, String... completions) {
        List<String> twice = new ArrayList<>();
        entries.forEach(entry -> twice.addAll(List.of(entry, entry)));
        return new Posted(posts, twice, List.of(completions));
    }

    @ParameterizedTest
    @CsvSource({
        "mlx4 roce, cqe A Q a 1 1 0 0 0 0 0 0 0",
        "mlx4 roce, cqe A Q a 65535 1 0 0 0 0 0 0 0",
        "mlx4 roce, cqe A Q 16 0 1 0 0 0 0 0 0 0",
        "mlx4 roce, cqe A Q 1e 7 1 0 0 0 5 0 0 0",
        "mlx4 roce, cqe A Q 16 0 0 0 0 0 0 0 0 0",
        "mlx4 roce, cqe A Q 4 0 0 0 0 0 0 0 0 0",
        "mlx4 roce, cqe A T 1 2 0 10 0 0 0 0 0 0",
        "mlx4 roce, cqe A T 1 65535 0 10 0 0 0 0 0 0",
        "mlx4 roce, cqe A T a 0 1 0 0 0 0 0 0 0",
        "mlx4 roce, cqe B Q a 0 1 0 0 0 0 0 0 0",
        "mlx4 roce, cqe B Q 1 0 0 10 0 0 0 0 0 0",
        "mlx4 roce, cqe B T 1 0 0 10 0 0 0 0 0 0",
        "mlx4 roce, xcqe A S 8 1 0 10 0 0 0",
        "mlx5 roce, cqe A Q 5 0 a 0 0 0 0 0",
        "mlx5 roce, cqe A Q 6 0 a 0 0 0 0 0",
        "mlx5 roce, cqe A Q 12 0 a 0 0 0 0 0",
        "mlx5 roce, cqe A Q 0 1 a 0 0 0 0 0",
        "mlx5 roce, cqe A Q 0 65535 a 0 0 0 0 0",
        "mlx5 roce, cqe A Q 0 0 25 0 0 0 0 0",
        "mlx5 roce, cqe A Q 13 7 a 0 0 0 5 0",
        "mlx5 roce, cqe A Q 2 1 0 10 0 0 0 0",
        "mlx5 roce, cqe A Q 14 65535 0 10 0 0 5 0",
        "mlx5 roce, cqe A T 2 2 0 10 0 0 0 0",
        "mlx5 roce, cqe A T 2 65535 0 10 0 0 0 0",
        "mlx5 roce, cqe A T 0 0 a 0 0 0 0 0",
        "mlx5 roce, cqe B Q 0 0 a 0 0 0 0 0",
        "mlx5 roce, cqe B Q 2 0 0 10 0 0 0 0",
        "mlx5 roce, cqe B T 2 0 0 10 0 0 0 0",
        "erdma shared, cqe A Q 2 0 1 0 0 0",
        "erdma shared, cqe A Q 2 0 16 0 0 0",
        "erdma shared, cqe A Q 2 0 65535 0 0 0",
        "erdma shared, cqe A Q 4 1 1 0 10 0",
        "erdma shared, cqe B Q 2 0 0 0 0 0",
        "erdma shared, cqe B Q 4 1 0 0 10 0",
        "irdma roce, cqe A Q 3 1 1 0 0 0 - 0 0",
        "irdma roce, cqe A Q 3 1 511 0 0 0 - 0 0",
        "irdma roce, cqe A Q 3 1 512 0 0 0 - 0 0",
        "irdma roce, cqe A Q 3 1 32767 0 0 0 - 0 0",
        "irdma roce, cqe A Q 3 1 7 9 9 0 - 0 0",
        "irdma roce, cqe A Q 0 0 1 0 10 0 - 0 0",
        "irdma roce, cqe B Q 3 1 0 0 0 0 - 0 0",
        "irdma roce, cqe B Q 0 0 0 0 10 0 - 0 0",
        "irdma roce, cqe B Q 0 1 0 1 1 0 - 0 0",
        "bnxt_re p5, cqe A Q 0 0 2 0 0 0 0",
        "bnxt_re p5, cqe A Q 0 0 132 0 0 0 0",
        "bnxt_re p5, cqe A Q 1 0 0 0 0 0 0",
        "bnxt_re p5, cqe A Q 1 1 0 0 0 0 0",
        "bnxt_re p5, cqe A Q 3 0 0 0 0 0 0",
        "bnxt_re p5, cqe B Q 0 0 0 0 0 0 0",
        "bnxt_re p5, cqe B Q 0 1 0 0 0 0 0",
        "bnxt_re p5, cqe B Q 14 0 0 0 0 0 0"
    })
    void passesOverWhatCompletesNoRequest(String device, String entry) throws RdmaException {
        open(device);
        Posted posted = posted(device.split(" ", -1)[0]);
        play(posted.posts().toArray(String[]::new));
        forget();
        play(entry, "poll A 4", "poll B 4");
        assertThat(completions()).isEmpty();
        if (device.startsWith("mlx")) {
            assertThat(out()).contains("  record 1 0");
        }
        play(posted.entries().toArray(String[]::new));
        assertThat(completions("poll A 10")).isEqualTo(posted.completions());
    }

    @ParameterizedTest
    @CsvSource({
        "mlx4 roce, cqe A Q a 0 1 0 0 0 0 0 0 0, qp N rc A A - 10 5 2 2 64 0",
        "mlx5 roce, cqe A Q 0 0 a 0 0 0 0 0, qp N rc A A - 10 5 2 2 64 0",
        "erdma shared, cqe A Q 2 0 0 0 0 0, qp N rc A A - 4 4 6 1 96 0",
        "irdma roce, cqe A Q 3 1 0 0 0 0 - 0 0, qp N rc A A - 4 4 2 2 40 0"
    })
    void completionsOfAQueuePairThatIsGoneAreNotOfTheNext(String device, String entry, String next)
            throws RdmaException {
        open(device);
        play("send Q 1" + SEND, entry, "destroy Q", next, "send N 2" + SEND);
        assertThat(completions("poll A 10")).isEmpty();
    }

    // ---- queue pairs in ERR

    private static String flushed(int request, String vendor) {
        return "  completion " + request + " status 5 qp 100 vendor " + vendor;
    }

    /** The device need not complete a request that is not signaled. */
    @ParameterizedTest
    @CsvSource({"erdma shared, 0", "irdma roce, 10001"})
    void waitsForNoRequestThatIsNotSignaled(String device, String vendor) throws RdmaException {
        open(device);
        play("send Q 1 send - 0 0 0 0 0 - 0 0 0:10:45a", "err Q", "send Q 2" + SEND);
        assertThat(completions("poll A 4")).containsExactly(flushed(1, vendor), flushed(2, vendor));
        if (device.startsWith("erdma")) {
            play("cqe A Q 2 0 0 15 0 0");
            assertThat(completions("poll A 4")).isEmpty();
        }
    }

    /** The device has failed the queue pair and flushed both queues by itself, and looks at nothing that is posted then. */
    @ParameterizedTest
    @CsvSource({
        "erdma shared, cqe A Q 2 0 0 16 0 0, cqe A Q 0 1 0 15 0 0, 0",
        "irdma roce, cqe A Q 0 1 0 1 1 0 - 0 0, cqe A Q 0 0 0 1 1 0 - 0 0, 10001",
        "irdma iwarp, cqe A Q 0 1 0 1 1 0 - 0 0, cqe A Q 0 0 0 1 1 0 - 0 0, 10001",
        "irdma x722, cqe A Q 0 1 0 1 1 0 - 0 0, cqe A Q 0 0 0 1 1 0 - 0 0, 10001",
        "irdma gen3, cqe A Q 0 1 0 1 1 0 - 0 0, cqe A Q 0 0 0 1 1 0 - 0 0, 10001"
    })
    void flushesWhatIsPostedBetweenTheFailureAndTheMoveToError(
            String device, String ofSends, String ofReceives, String vendor) throws RdmaException {
        open(device);
        play("send Q 1" + SEND, "recv Q 2 0:10:1", ofSends, ofReceives);
        assertThat(completions("poll A 9")).hasSize(2);
        play("send Q 3" + SEND, "recv Q 4 0:10:1", "err Q", "send Q 5" + SEND, "recv Q 6 0:10:1");
        assertThat(completions("poll A 9"))
                .containsExactly(flushed(3, vendor), flushed(5, vendor), flushed(4, vendor), flushed(6, vendor));
    }
}
