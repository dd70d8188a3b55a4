// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.bnxt;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.script.Mode;
import io.github.rdma4j.providers.script.PlayedRings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the scripts that are compared with the library do not do. */
class BnxtRingsTest extends PlayedRings {
    private static final String SEND = " send s 0 0 0 0 0 - 0 0 0:10:45a";
    private static final String UNSIGNALED = " send - 0 0 0 0 0 - 0 0 0:10:45a";

    private void open(Mode mode) throws RdmaException {
        open(mode, "cq A 10", "qp Q rc A A - 4 4 2 2 40 0");
    }

    // ---- posting

    /** Neither the elements nor the numbers of packets have a gap. */
    @ParameterizedTest
    @CsvSource({
        "p5, 2, 01452302 02452300 01000000 00000000",
        "p7, 6, 01452302 45230300",
    })
    void whatWasTakenBackTakesNoPlace(String mode, int index, String packets) throws RdmaException {
        open(BnxtMode.DRIVER.mode(mode));
        play("send Q 1" + SEND, "chain Q 2" + SEND);
        player().discard();

        assertThat(outcome("send Q 3" + SEND))
                .contains("  psn 1 " + packets, String.format("  doorbell 0 04000100%08x", index));
        play("cqe A Q 0 0 1 0 0 0 0");
        assertThat(completions("poll A 4"))
                .containsExactly("  completion 1 status 0 qp 100 opcode 0", "  completion 3 status 0 qp 100 opcode 0");
    }

    // ---- completions

    /** An entry stands for the requests before, of which those that are not signaled complete silently. */
    @Test
    void anEntryStaysUntilAllOfItsRequestsAreDone() throws RdmaException {
        open(BnxtMode.P7);
        play("send Q 1" + SEND, "send Q 2" + UNSIGNALED, "send Q 3" + SEND, "send Q 4" + UNSIGNALED);
        play("cqe A Q 0 0 3 0 0 0 0");

        assertThat(completions("poll A 1")).containsExactly("  completion 1 status 0 qp 100 opcode 0");
        assertThat(completions("poll A 1")).containsExactly("  completion 3 status 0 qp 100 opcode 0");
        assertThat(completions("poll A 1")).isEmpty();
    }

    /** The library reports a flushed send as a receive; Java reports what was flushed, also of what is posted later. */
    @Test
    void flushesBothQueuesAfterATermination() throws RdmaException {
        open(BnxtMode.P7);
        play("send Q 1" + UNSIGNALED, "recv Q 2", "cqe A Q 14 0 0 0 0 0 0");

        assertThat(completions("poll A 4"))
                .containsExactly("  completion 1 status 5 qp 100 vendor 0", "  completion 2 status 5 qp 100 vendor 0");
        play("send Q 3" + SEND, "recv Q 4");
        assertThat(completions("poll A 1")).containsExactly("  completion 3 status 5 qp 100 vendor 0");
        assertThat(completions("poll A 1")).containsExactly("  completion 4 status 5 qp 100 vendor 0");
        play("reset Q", "send Q 5" + SEND);
        assertThat(completions("poll A 4")).isEmpty();
    }

    /** A thread polls the queue of receives, where the device's word lies, while another resets the queue pair. */
    @Test
    void aQueuePairThatOneQueueHasForgottenFailsInNeither() throws RdmaException {
        open(BnxtMode.P7, "cq A 10", "cq B 10", "qp Q rc A B - 4 4 2 2 40 0");
        play("recv Q 1 0:10:1", "cqe B Q 14 0 0 0 0 0 0", "race Q B", "send Q 77" + SEND, "recv Q 78 0:10:1");

        assertThat(completions("poll A 4")).isEmpty();
        assertThat(completions("poll B 4")).isEmpty();
        play("cqe A Q 0 0 0 0 0 0 0");
        assertThat(completions("poll A 4")).containsExactly("  completion 77 status 0 qp 100 opcode 0");
    }

    /** The device need not write that it has failed. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void flushesBothQueuesAfterAnEvent(int event) throws RdmaException {
        open(BnxtMode.P7, "cq A 10", "cq B 10", "qp Q rc A B - 4 4 2 2 40 0");
        play("send Q 1" + UNSIGNALED, "recv Q 2", "async Q 5");
        assertThat(completions("poll A 4")).isEmpty();

        play("async Q " + event);
        assertThat(completions("poll A 4")).containsExactly("  completion 1 status 5 qp 100 vendor 0");
        assertThat(completions("poll B 4")).containsExactly("  completion 2 status 5 qp 100 vendor 0");
        play("reset Q", "send Q 5" + SEND);
        assertThat(completions("poll A 4")).isEmpty();
    }

    @Test
    void flushesTheQueuePairsThatHaveFailedInTheirOrder() throws RdmaException {
        open(BnxtMode.P7, "cq A 20", "qp Q rc A A - 4 4 2 2 40 0", "qp P rc A A - 4 4 2 2 40 0");
        play("qp O rc A A - 4 4 2 2 40 0", "async Q 1", "async P 1", "async O 1", "async Q 1");
        play("reset P", "send O 1" + SEND, "send P 2" + SEND, "send Q 3" + SEND);
        assertThat(completions("poll A 9"))
                .containsExactly("  completion 3 status 5 qp 100 vendor 0", "  completion 1 status 5 qp 102 vendor 0");

        play("destroy O", "async P 1", "send Q 4" + SEND);
        assertThat(completions("poll A 9"))
                .containsExactly("  completion 4 status 5 qp 100 vendor 0", "  completion 2 status 5 qp 101 vendor 0");
    }

    /** libbnxt_re reads two of the eight bits. */
    @Test
    void readsAllBitsOfTheSender() throws RdmaException {
        open(BnxtMode.P7);
        play("qp U ud A A - 4 4 2 2 40 0", "recv U 1 0:100:1", "cqe A U 2 0 0 60 0 0 fedcba");

        assertThat(completions("poll A 1"))
                .containsExactly("  completion 1 status 0 qp 101 opcode 128 bytes 60 grh 1 from fedcba pkey 0 lid 0"
                        + " sl 0 path 0");
    }

    /** The receives of a queue pair that goes can be posted again. */
    @Test
    void givesSharedReceivesBackWithTheirQueuePair() throws RdmaException {
        open(BnxtMode.P7, "cq A 10", "srq S 2 1", "qp Q rc A A S 4 0 2 0 0 0");
        for (int i = 0; i < 5; i++) {
            play("recv S 1", "recv S 2", "take S", "take S");
            assertThat(outcome("recv S 3")).containsExactly("  full");
            int[] tags = {i % 3 == 0 ? 0 : i % 3 == 1 ? 2 : 1, i % 3 == 0 ? 1 : i % 3 == 1 ? 0 : 2};
            play("cqe A Q 1 0 " + tags[0] + " 0 0 0 0", "cqe A Q 1 1 " + tags[1] + " 0 0 0 0");
            play("reset Q");
            assertThat(completions("poll A 4")).isEmpty();
        }
    }

    /** A queue whose entries cannot be doubled tells the device of each poll. */
    @Test
    void tellsTheDeviceOfEachPollOfALargeQueue() throws RdmaException {
        open(BnxtMode.P4);
        play("cq B 256", "qp P rc B B - 4 4 2 2 40 0", "send P 1" + SEND, "cqe B P 0 0 0 0 0 0 0");

        assertThat(outcome("poll B 4")).contains("  doorbell 0 4400040100000001");
    }

    @Test
    void refusesTheSizeThatAQueueHas() throws RdmaException {
        open(BnxtMode.P7);

        assertThat(outcome("resize A 10")).containsExactly("  refused");
    }
}
