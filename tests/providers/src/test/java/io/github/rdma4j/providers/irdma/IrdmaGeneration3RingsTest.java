// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.irdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.irdma.Elements;
import io.github.rdma4j.internal.irdma.Elements.Completion;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.script.PlayedRings;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the scripts that are compared with the library do not do on generation 3. */
class IrdmaGeneration3RingsTest extends PlayedRings {
    private static final String SEND = " send s 0 0 0 0 0 - 0 0 0:10:45a";
    private static final String FLUSH = "cqe A Q 0 1 0 1 1 0 - 0 0";

    /** Of the first queue pair of a context. */
    private static final long FIRST_CONTEXT = 1 << 24;

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
        entry.putLong(Elements.QUANTUM + Completion.HEADER_WORD * Long.BYTES, Completion.IMMEDIATE | Elements.VALID);
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
