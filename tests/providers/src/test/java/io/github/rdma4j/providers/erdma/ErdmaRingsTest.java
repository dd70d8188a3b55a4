// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.erdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.script.PlayedRings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the scripts that are compared with the library do not do. */
class ErdmaRingsTest extends PlayedRings {
    private static final String SEND = " send s 0 0 0 0 0 - 0 0 0:10:45a";

    @BeforeEach
    void makeQueues() throws RdmaException {
        open(ErdmaMode.SHARED, "cq A 10", "qp Q rc A A - 4 4 6 1 96 0");
    }

    /** As rdma-core does since 60: the key in place of the immediate data, and operation 13. */
    @Test
    void sendsAndInvalidatesAKeyOfThePeer() throws RdmaException {
        assertThat(outcome("send Q 1 send_inv s 1234 0 0 0 0 - 0 0 0:10:45a"))
                .contains("  wqe 0 01004068 00010001 34120000 0a000000 00000000 00200000 0a000000 5a040000");
    }

    @Test
    void takesAsManySendsAsAreFourBlocksEach() throws RdmaException {
        for (int i = 0; i < 4; i++) {
            assertThat(outcome("send Q " + i + SEND)).contains("  posted 1 of 1");
        }
        assertThat(outcome("send Q 9" + SEND)).contains("  posted 0 of 1");
        play("cqe A Q 2 0 1 0 0 0");
        assertThat(completions("poll A 4")).hasSize(1);
        assertThat(outcome("send Q 10" + SEND)).contains("  posted 1 of 1");
        assertThat(outcome("send Q 11" + SEND)).contains("  posted 1 of 1");
        assertThat(outcome("send Q 12" + SEND)).contains("  posted 0 of 1");
    }

    @Test
    void theNextRequestTakesThePlaceOfWhatWasTakenBack() throws RdmaException {
        play("send Q 1" + SEND, "chain Q 2" + SEND);
        player().discard();

        assertThat(outcome("send Q 3" + SEND)).anyMatch(line -> line.startsWith("  wqe 1 "));
        play("cqe A Q 2 0 1 0 0 0");
        assertThat(completions("poll A 2")).containsExactly("  completion 3 status 0 qp 100 opcode 0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cqe A Q 2 0 1 0 0 0",
                "cqe A Q 2 0 16 0 0 0",
                "cqe A Q 2 0 65535 0 0 0",
                "cqe A Q 4 1 1 0 10 0",
                "cqe B Q 2 0 0 0 0 0",
                "cqe B Q 4 1 0 0 10 0"
            })
    void passesOverWhatCompletesNoRequest(String entry) throws RdmaException {
        play("cq B 10", "send Q 1" + SEND, "recv Q 2 0:10:1", entry);

        assertThat(completions("poll A 4")).isEmpty();
        assertThat(completions("poll B 4")).isEmpty();
        play("cqe A Q 2 0 0 0 0 0", "cqe A Q 2 0 0 0 0 0", "cqe A Q 4 1 0 0 10 0", "cqe A Q 4 1 0 0 10 0");
        assertThat(completions("poll A 4")).hasSize(2);
    }

    @Test
    void completionsOfAQueuePairThatIsGoneAreNotOfTheNext() throws RdmaException {
        play("send Q 1" + SEND, "cqe A Q 2 0 0 0 0 0", "destroy Q", "qp N rc A A - 4 4 6 1 96 0", "send N 2" + SEND);

        assertThat(completions("poll A 4")).isEmpty();
    }

    @Test
    void flushesWhatIsPostedInErrorBehindWhatTheDeviceFlushes() throws RdmaException {
        play("send Q 1" + SEND, "recv Q 2 0:10:1", "err Q");
        assertThat(outcome("send Q 3" + SEND)).noneMatch(line -> line.startsWith("  doorbell"));
        assertThat(outcome("recv Q 4 0:10:1")).noneMatch(line -> line.startsWith("  doorbell"));
        assertThat(completions("poll A 4")).isEmpty();
        play("cqe A Q 2 0 0 15 0 0");
        assertThat(completions("poll A 4"))
                .containsExactly("  completion 1 status 5 qp 100 vendor 0", "  completion 3 status 5 qp 100 vendor 0");
        play("cqe A Q 4 1 0 15 0 0");
        assertThat(completions("poll A 4"))
                .containsExactly("  completion 2 status 5 qp 100 vendor 0", "  completion 4 status 5 qp 100 vendor 0");
    }

    /** The device has failed the queue pair, and looks at nothing that is posted then. */
    @Test
    void flushesWhatIsPostedBetweenTheFailureAndTheMoveToError() throws RdmaException {
        play("send Q 1" + SEND, "recv Q 2 0:10:1", "cqe A Q 2 0 0 16 0 0", "cqe A Q 0 1 0 15 0 0");
        assertThat(completions("poll A 9")).hasSize(2);
        play("send Q 3" + SEND, "recv Q 4 0:10:1", "err Q", "send Q 5" + SEND, "recv Q 6 0:10:1");

        assertThat(completions("poll A 9"))
                .containsExactly(
                        "  completion 3 status 5 qp 100 vendor 0",
                        "  completion 5 status 5 qp 100 vendor 0",
                        "  completion 4 status 5 qp 100 vendor 0",
                        "  completion 6 status 5 qp 100 vendor 0");
    }

    @Test
    void flushesWhatIsPostedToTheOtherQueueAfterAnError() throws RdmaException {
        play("send Q 1" + SEND, "cqe A Q 2 0 0 16 0 0");
        assertThat(completions("poll A 9")).hasSize(1);
        play("recv Q 2 0:10:1", "send Q 3" + SEND, "err Q");

        assertThat(completions("poll A 9"))
                .containsExactly("  completion 3 status 5 qp 100 vendor 0", "  completion 2 status 5 qp 100 vendor 0");
    }

    /** The device need not complete a request that is not signaled. */
    @Test
    void waitsForNoRequestThatIsNotSignaled() throws RdmaException {
        play("send Q 1 send - 0 0 0 0 0 - 0 0 0:10:45a", "err Q", "send Q 2" + SEND);

        assertThat(completions("poll A 4"))
                .containsExactly("  completion 1 status 5 qp 100 vendor 0", "  completion 2 status 5 qp 100 vendor 0");
        player().play("cqe A Q 2 0 0 15 0 0");
        assertThat(completions("poll A 4")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "qp P rc A A - 8193 1 1 1 0 0, maxSendWr is 8193; the device takes 0 to 8192",
        "qp P rc A A - 1 32769 1 1 0 0, maxReceiveWr is 32769; the device takes 0 to 32768",
        "qp P rc A A - 1 1 7 1 0 0, maxSendSge is 7; the device takes 0 to 6",
        "qp P rc A A - 1 1 1 2 0 0, maxReceiveSge is 2; the device takes 0 to 1",
        "qp P rc A A - 1 1 1 1 97 0, maxInline is 97; the device takes 0 to 96",
        "cq B 16777217, the number of completions is 16777217; the device takes 1 to 16777216"
    })
    void saysWhatTheDeviceTakes(String line, String message) {
        assertRefused(line).hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({
        "read s 0 0 0 0 0 - 0 0 0:8:1 8:8:1, an RDMA read into 2 pieces of memory; erdma reads into 1",
        "cas s 0 0 0 0 0 - 0 0, an atomic operation into 0 pieces of memory; it takes 1",
        "bind s 0 0 0 0 0 - 0 0 0:8:1, the provider of erdma has no operation 8"
    })
    void refusesWhatTheDeviceDoesNotHave(String request, String message) {
        assertRefused("send Q 1 " + request).hasMessageStartingWith(message);
    }
}
