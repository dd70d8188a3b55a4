// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.erdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.script.PlayedRings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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

    @Test
    void flushesWhatIsPostedToTheOtherQueueAfterAnError() throws RdmaException {
        play("send Q 1" + SEND, "cqe A Q 2 0 0 16 0 0");
        assertThat(completions("poll A 9")).hasSize(1);
        play("recv Q 2 0:10:1", "send Q 3" + SEND, "err Q");

        assertThat(completions("poll A 9"))
                .containsExactly("  completion 3 status 5 qp 100 vendor 0", "  completion 2 status 5 qp 100 vendor 0");
    }
}
