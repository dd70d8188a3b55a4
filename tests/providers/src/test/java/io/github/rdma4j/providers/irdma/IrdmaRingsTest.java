// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.irdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.irdma.Elements;
import io.github.rdma4j.internal.irdma.Elements.Completion;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.script.Mode;
import io.github.rdma4j.providers.script.PlayedRings;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the scripts that are compared with the library do not do. */
class IrdmaRingsTest extends PlayedRings {
    private static final String SEND = " send s 0 0 0 0 0 - 0 0 0:10:45a";
    private static final String UNSIGNALED = " send - 0 0 0 0 0 - 0 0 0:10:45a";
    private static final String FLUSH_OF_SENDS = "cqe A Q 0 1 0 1 1 0 - 0 0";
    private static final String FLUSH_OF_RECEIVES = "cqe A Q 0 0 0 1 1 0 - 0 0";

    /** Of the first queue pair of a context. */
    private static final long FIRST_CONTEXT = 1 << 24;

    private void open(Mode mode) throws RdmaException {
        open(mode, "cq A 10", "qp Q rc A A - 4 4 2 2 40 0");
    }

    // ---- posting

    /** The device would take an element with the bit of the lap, whether or not the doorbell was rung. */
    @Test
    void leavesNothingValidOfWhatWasTakenBack() throws RdmaException {
        open(IrdmaMode.ROCE);
        String threeQuanta = " send i 0 0 0 0 0 - 0 0 0:40:45a";
        play("send Q 1" + SEND, "chain Q 2" + threeQuanta);
        player().discard();

        assertThat(outcome("send Q 3" + SEND).stream().filter(line -> line.startsWith("  wqe ")))
                .hasSize(1)
                .allMatch(line -> line.startsWith("  wqe 1 "));
        assertThat(outcome("send Q 4" + SEND).stream().filter(line -> line.startsWith("  wqe ")))
                .hasSize(1)
                .allMatch(line -> line.startsWith("  wqe 2 "));
        play("cqe A Q 3 1 1 0 0 0 - 0 0");
        assertThat(completions("poll A 2")).containsExactly("  completion 3 status 0 qp 100 opcode 0");
    }

    /** The library repeats the first piece of the receive before. */
    @Test
    void aReceiveWithoutPiecesHasNoAddress() throws RdmaException {
        open(IrdmaMode.ROCE);
        play("recv Q 1 0:10:45a");

        assertThat(outcome("recv Q 2"))
                .contains("  entry 1 00000000 00000000 00000000 00000080 00000000 00000000 00000000 00000080"
                        + " 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000");
    }

    @ParameterizedTest
    @CsvSource({
        "roce, cas s 0 0 0 0 0 - 0 0 0:8:1, 'an atomic operation, which the device does not have'",
        "roce, fadd s 0 0 0 0 0 - 0 0 0:8:1, 'an atomic operation, which the device does not have'",
        "gen3, fadd s 0 0 0 0 0 - 0 0 0:4:1 4:4:1, an atomic operation into 2 pieces of memory; it takes 1",
        "iwarp, send_imm s 0 0 0 0 0 - 0 0, 'immediate data of a send, which iWARP does not have'",
        "x722, write_imm s 0 0 0 0 0 - 0 0, 'immediate data of an RDMA write, which X722 does not send'",
        "x722, read s 0 0 0 0 0 - 0 0 0:8:1 8:8:1, an RDMA read into 2 pieces of memory; the device reads into 1",
        "roce, send s 0 0 0 0 0 - 0 0 0:8:1 8:8:1 16:8:1, the work request grew while it was posted: to 3 where"
    })
    void refusesWhatTheDeviceDoesNotHave(String mode, String request, String message) throws RdmaException {
        open(IrdmaMode.DRIVER.mode(mode));

        assertRefused("send Q 1 " + request).hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @CsvSource({
        "roce, qp P rc A A - 32511 1 1 1 0 0, maxSendWr is 32511; the device takes 0 to 16255",
        "roce, qp P rc A A - 1 32768 1 1 0 0, maxReceiveWr is 32768; the device takes 0 to 32767",
        "roce, qp P rc A A - 1 1 14 1 0 0, maxSendSge is 14; the device takes 0 to 13",
        "roce, qp P rc A A - 1 1 1 14 0 0, maxReceiveSge is 14; the device takes 0 to 13",
        "roce, qp P rc A A - 1 1 1 1 102 0, maxInline is 102; the device takes 0 to 101",
        "x722, qp P rc A A - 1 1 4 1 0 0, maxSendSge is 4; the device takes 0 to 3",
        "x722, qp P rc A A - 1 1 1 1 49 0, maxInline is 49; the device takes 0 to 48",
        "i40iw, qp P rc A A - 1791 1 1 1 0 0, maxSendWr is 1791; the device takes 0 to 1790",
        "roce, cq B 524287, the number of completions is 524287; the device takes 1 to 524286"
    })
    void saysWhatTheDeviceTakes(String mode, String line, String message) throws RdmaException {
        open(IrdmaMode.DRIVER.mode(mode));

        assertRefused(line).hasMessage(message);
    }

    // ---- completions

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cqe A Q 3 1 1 0 0 0 - 0 0",
                "cqe A Q 3 1 511 0 0 0 - 0 0",
                "cqe A Q 3 1 512 0 0 0 - 0 0",
                "cqe A Q 3 1 32767 0 0 0 - 0 0",
                "cqe A Q 3 1 7 9 9 0 - 0 0",
                "cqe A Q 0 0 1 0 10 0 - 0 0",
                "cqe B Q 3 1 0 0 0 0 - 0 0",
                "cqe B Q 0 0 0 0 10 0 - 0 0",
                "cqe B Q 0 1 0 1 1 0 - 0 0"
            })
    void passesOverWhatCompletesNoRequest(String entry) throws RdmaException {
        open(IrdmaMode.ROCE);
        play("cq B 10", "send Q 1" + SEND, "recv Q 2 0:10:1", entry);

        assertThat(completions("poll A 4")).isEmpty();
        assertThat(completions("poll B 4")).isEmpty();
        play("cqe A Q 3 1 0 0 0 0 - 0 0", "cqe A Q 3 1 0 0 0 0 - 0 0");
        play("cqe A Q 0 0 0 0 10 0 - 0 0", "cqe A Q 0 0 0 0 10 0 - 0 0");
        assertThat(completions("poll A 4")).hasSize(2);
    }

    /** The library of Debian 12 reports RECV, which later libraries correct. */
    @ParameterizedTest
    @CsvSource({"9, 129", "11, 129", "3, 128", "5, 128"})
    void tellsRdmaWritesWithImmediateDataFromSends(String operation, String opcode) throws RdmaException {
        open(IrdmaMode.ROCE);
        play("recv Q 2 0:10:1", "cqe A Q " + operation + " 0 0 0 0 7 1234 0 0");

        assertThat(completions("poll A 4"))
                .containsExactly("  completion 2 status 0 qp 100 opcode " + opcode + " bytes 7 imm 00001234");
    }

    /** The device writes immediate data into a quantum of their own. */
    @Test
    void waitsForTheSecondQuantumOfAnEntry() throws RdmaException {
        open(IrdmaMode.ROCE);
        play("recv Q 2 0:10:1");
        ByteBuffer first = ByteBuffer.allocate(Elements.QUANTUM).order(ByteOrder.LITTLE_ENDIAN);
        first.putLong(Completion.CONTEXT_WORD * Long.BYTES, FIRST_CONTEXT);
        first.putLong(Completion.HEADER_WORD * Long.BYTES, Completion.EXTENDED);
        player().write("A", first);
        assertThat(completions("poll A 4")).isEmpty();

        ByteBuffer second = ByteBuffer.allocate(Elements.QUANTUM).order(ByteOrder.LITTLE_ENDIAN);
        second.putLong(Completion.HEADER_WORD * Long.BYTES, Completion.IMMEDIATE);
        player().write("A", second.putLong(0, 0x1234));
        assertThat(completions("poll A 4"))
                .containsExactly("  completion 2 status 0 qp 100 opcode 128 bytes 0 imm 00001234");
    }

    @Test
    void completionsOfAQueuePairThatIsGoneAreNotOfTheNext() throws RdmaException {
        open(IrdmaMode.ROCE);
        play("send Q 1" + SEND, "cqe A Q 3 1 0 0 0 0 - 0 0", "destroy Q", "qp N rc A A - 4 4 2 2 40 0");
        play("send N 2" + SEND);

        assertThat(completions("poll A 4")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, 19", "7, 19", "11, 13", "12, 19", "65535, 19"})
    void knowsTheErrorsOfLaterLibraries(int minor, int status) throws RdmaException {
        open(IrdmaMode.ROCE);
        play("send Q 1" + SEND, "cqe A Q 0 1 0 1 " + minor + " 0 - 0 0");

        assertThat(completions("poll A 4"))
                .containsExactly(
                        "  completion 1 status " + status + " qp 100 vendor " + Integer.toHexString(1 << 16 | minor));
    }

    /** The library means to, and forgets it. */
    @Test
    void aSentDatagramHasNoErrorOfItsWay() throws RdmaException {
        open(IrdmaMode.ROCE);
        play("ah H 0 0 1 0 64 0 0 0 0 0 1", "qp U ud A A - 4 4 1 1 0 0");
        play("send U 1 send s 0 0 0 0 0 H 5 5 0:10:45a", "cqe A U 3 1 0 57345 2 0 - 0 0");

        assertThat(completions("poll A 4")).containsExactly("  completion 1 status 0 qp 101 opcode 0");
    }

    // ---- queue pairs in ERR

    @Test
    void flushesWhatIsPostedInErrorToEmptyQueues() throws RdmaException {
        open(IrdmaMode.ROCE);
        play("err Q", "send Q 1" + SEND, "recv Q 2 0:10:1");

        assertThat(completions("poll A 4"))
                .containsExactly(
                        "  completion 1 status 5 qp 100 vendor 10001", "  completion 2 status 5 qp 100 vendor 10001");
        play(FLUSH_OF_SENDS, FLUSH_OF_RECEIVES, "send Q 3" + SEND);
        assertThat(completions("poll A 4")).containsExactly("  completion 3 status 5 qp 100 vendor 10001");
        assertThat(completions("poll A 4")).isEmpty();
    }

    @Test
    void leavesToTheDeviceWhatWasPostedBefore() throws RdmaException {
        open(IrdmaMode.ROCE);
        play("send Q 1" + SEND, "recv Q 2 0:10:1", "err Q", "send Q 3" + SEND, "recv Q 4 0:10:1");
        assertThat(completions("poll A 4")).isEmpty();

        play("cqe A Q 3 1 0 0 0 0 - 0 0");
        assertThat(completions("poll A 1")).containsExactly("  completion 1 status 0 qp 100 opcode 0");
        assertThat(completions("poll A 4")).containsExactly("  completion 3 status 5 qp 100 vendor 10001");
        play(FLUSH_OF_SENDS, FLUSH_OF_RECEIVES);
        assertThat(completions("poll A 1")).containsExactly("  completion 2 status 5 qp 100 vendor 10001");
        assertThat(completions("poll A 4")).containsExactly("  completion 4 status 5 qp 100 vendor 10001");
        assertThat(completions("poll A 4")).isEmpty();
    }

    /** The device need not complete a request that is not signaled. */
    @Test
    void waitsForNoRequestThatIsNotSignaled() throws RdmaException {
        open(IrdmaMode.ROCE);
        play("send Q 1" + UNSIGNALED, "err Q", "send Q 2" + SEND);

        assertThat(completions("poll A 4"))
                .containsExactly(
                        "  completion 1 status 5 qp 100 vendor 10001", "  completion 2 status 5 qp 100 vendor 10001");
    }

    /** The device has flushed both queues by itself, and flushes nothing more when the program moves the queue pair to ERR. */
    @ParameterizedTest
    @ValueSource(strings = {"roce", "iwarp", "x722", "gen3"})
    void flushesWhatIsPostedBetweenTheFailureAndTheMoveToError(String mode) throws RdmaException {
        open(IrdmaMode.DRIVER.mode(mode));
        play("send Q 1" + SEND, "recv Q 2 0:10:1", FLUSH_OF_SENDS, FLUSH_OF_RECEIVES);
        assertThat(completions("poll A 9")).hasSize(2);
        play("send Q 3" + SEND, "recv Q 4 0:10:1", "err Q", "send Q 5" + SEND, "recv Q 6 0:10:1");

        assertThat(completions("poll A 9"))
                .extracting(line -> line.substring(0, 23))
                .containsExactly(
                        "  completion 3 status 5",
                        "  completion 5 status 5",
                        "  completion 4 status 5",
                        "  completion 6 status 5");
    }

    /** An error of a send says of the receives that the device flushes those that it has, and no others. */
    @ParameterizedTest
    @CsvSource({"roce, 0", "iwarp, 3", "x722, 1", "gen3, 0"})
    void flushesWhatIsPostedToTheOtherQueueAfterAnError(String mode, int quantum) throws RdmaException {
        open(IrdmaMode.DRIVER.mode(mode), "cq A 10", "cq B 10", "qp Q rc A B - 4 4 2 2 40 0");
        play("send Q 1" + SEND, "cqe A Q 3 1 " + quantum + " 7 0 0 - 0 0");
        assertThat(completions("poll A 9")).hasSize(1);
        play("recv Q 2 0:10:1", "send Q 3" + SEND, "err Q");

        assertThat(completions("poll A 9")).hasSize(1).allMatch(line -> line.startsWith("  completion 3 status 5"));
        assertThat(completions("poll B 9")).hasSize(1).allMatch(line -> line.startsWith("  completion 2 status 5"));
    }

    @Test
    void anEntryThatFlushesNothingHidesNoOther() throws RdmaException {
        open(IrdmaMode.ROCE);
        play("qp P rc A A - 4 4 2 2 40 0", FLUSH_OF_SENDS, FLUSH_OF_RECEIVES, "send P 9" + SEND);
        play("cqe A P 3 1 0 0 0 0 - 0 0");

        assertThat(completions("poll A 4")).containsExactly("  completion 9 status 0 qp 101 opcode 0");
    }

    @Test
    void anEntryThatFlushesGoesWithItsQueuePair() throws RdmaException {
        open(IrdmaMode.ROCE);
        play("send Q 1" + SEND, "send Q 2" + SEND, FLUSH_OF_SENDS);
        assertThat(completions("poll A 1")).hasSize(1);
        play("destroy Q", "qp P rc A A - 4 4 2 2 40 0", "send P 9" + SEND, "cqe A P 3 1 0 0 0 0 - 0 0");

        assertThat(completions("poll A 4")).containsExactly("  completion 9 status 0 qp 101 opcode 0");
    }
}
