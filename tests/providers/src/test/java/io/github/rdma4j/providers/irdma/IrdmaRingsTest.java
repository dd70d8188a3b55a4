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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the scripts that are compared with the library do not do. */
class IrdmaRingsTest extends PlayedRings {
    private static final String SEND = " send s 0 0 0 0 0 - 0 0 0:10:45a";
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

    // ---- completions

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

    /** What the scripts that are compared with the library do not do on generation 3. */
    @Nested
    class Generation3 {
        private static final String FLUSH = "cqe A Q 0 1 0 1 1 0 - 0 0";

        /** Q has receives of its own, and P shares those of S. */
        @BeforeEach
        void makeQueues() throws RdmaException {
            open(IrdmaMode.GEN3, "cq A 30", "srq S 15 1", "qp Q rc A A - 4 4 2 2 40 0", "qp P rc A A S 4 0 2 0 40 0");
        }

        @Test
        void eachFlushedRequestHasAnEntryOfItsOwn() throws RdmaException {
            play("send Q 1" + SEND, "send Q 2" + SEND, FLUSH);
            assertThat(completions("poll A 4")).containsExactly("  completion 1 status 5 qp 100 vendor 10001");
            assertThat(completions("poll A 4")).isEmpty();

            play(FLUSH, FLUSH, "send P 3" + SEND, "cqe A P 3 1 0 0 0 0 - 0 0");
            assertThat(completions("poll A 4"))
                    .containsExactly(
                            "  completion 2 status 5 qp 100 vendor 10001", "  completion 3 status 0 qp 101 opcode 0");
        }

        @ParameterizedTest
        @CsvSource({
            "264, 4, 2",
            "525, 10, 3",
            "522, 2, 4",
            "526, 11, 5",
            "771, 1, 6",
            "1797, 19, 7",
            "1290, 12, 8",
            "276, 6, 9",
            "520, 9, 10",
            "1295, 13, 11",
            "0, 5, 1",
            "2047, 5, 1",
            "2048, 5, 1",
            "65535, 5, 1"
        })
        void anEntryThatFlushesMayNameAnEvent(int event, int status, int minor) throws RdmaException {
            play("recv S 1 0:10:1", "recv Q 2 0:10:1", "take S");
            play("cqe A P 0 0 0 65534 " + event + " 0 - 0 0", "cqe A Q 0 0 0 65534 " + event + " 0 - 0 0");

            String vendor = Integer.toHexString(0xfffe << 16 | minor);
            assertThat(completions("poll A 4"))
                    .containsExactly(
                            "  completion 1 status " + status + " qp 101 vendor " + vendor,
                            "  completion 2 status " + status + " qp 100 vendor " + vendor);
        }

        /** The device writes immediate data into the second half of an entry. */
        @Test
        void waitsForTheSecondHalfOfAnEntry() throws RdmaException {
            play("recv Q 2 0:10:1");
            ByteBuffer entry = ByteBuffer.allocate(2 * Elements.QUANTUM).order(ByteOrder.LITTLE_ENDIAN);
            entry.putLong(Completion.CONTEXT_WORD * Long.BYTES, FIRST_CONTEXT);
            entry.putLong(Completion.HEADER_WORD * Long.BYTES, Completion.EXTENDED);
            entry.putLong(
                    Elements.QUANTUM + Completion.HEADER_WORD * Long.BYTES, Completion.IMMEDIATE | Elements.VALID);
            player().write("A", entry);

            assertThat(completions("poll A 4")).isEmpty();
        }

        // ---- shared receives

        @ParameterizedTest
        @ValueSource(strings = {"cqe A Q 3 0 0 0 0 10 - 0 0", "cqe A Q 3 0 3 0 0 10 - 0 0"})
        void passesOverWhatCompletesNoReceive(String entry) throws RdmaException {
            play("recv S 1 0:10:1", "take S", "cqe A P 3 0 0 0 0 10 - 0 0", "cqe A P 3 0 0 0 0 10 - 0 0", entry);

            assertThat(completions("poll A 4")).containsExactly("  completion 1 status 0 qp 101 opcode 128 bytes 10");
        }

        @Test
        void completesInAnyOrder() throws RdmaException {
            for (int i = 0; i < 100; i++) {
                play("recv S " + 2 * i + " 0:10:1", "recv S " + (2 * i + 1) + " 0:10:1", "take S", "take S");
                play("cqe A P 3 0 " + (2 * i + 1) + " 0 0 7 - 0 0", "cqe A P 3 0 " + 2 * i + " 0 0 7 - 0 0");
                assertThat(completions("poll A 4"))
                        .containsExactly(
                                "  completion " + (2 * i + 1) + " status 0 qp 101 opcode 128 bytes 7",
                                "  completion " + 2 * i + " status 0 qp 101 opcode 128 bytes 7");
            }
        }

        /** The library leaves the entries in the ring, where they name memory of a queue pair that is gone. */
        @Test
        void receivesOfAQueuePairThatIsGoneAreGivenBack() throws RdmaException {
            for (int i = 0; i < 15; i++) {
                play("recv S " + i + " 0:10:1", "take S", "cqe A P 3 0 " + i + " 0 0 7 - 0 0");
            }
            assertThat(full("recv S 15 0:10:1")).isTrue();
            play("destroy P");

            assertThat(completions("poll A 16")).isEmpty();
            for (int i = 0; i < 15; i++) {
                assertThat(full("recv S " + i + " 0:10:1")).isFalse();
            }
            assertThat(full("recv S 15 0:10:1")).isTrue();
        }

        private boolean full(String line) throws RdmaException {
            return outcome(line).contains("  full");
        }
    }
}
