// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.script.PlayedRings;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Work requests that are taken back, and a send queue that begins anew. */
class SendRingTest extends PlayedRings {
    private static final String SHORT = " send s 0 0 0 0 0 - 0 0 0:10:45a";

    /** Two blocks. */
    private static final String LONG = " send si 0 0 0 0 0 - 0 0 0:60:0";

    @BeforeEach
    void makeQueues() throws RdmaException {
        open(Mlx5Mode.ROCE, "cq A 10", "qp Q rc A A - 4 5 2 2 64 0");
    }

    private int capacity() {
        String granted = out().stream()
                .filter(line -> line.startsWith("  granted "))
                .skip(1) // of the completion queue
                .findFirst()
                .orElseThrow();
        return Integer.parseInt(granted.split(" ", -1)[3]);
    }

    private void assertTakesAll(int capacity) throws RdmaException {
        for (int i = 0; i < capacity; i++) {
            assertThat(outcome("send Q " + i + SHORT)).contains("  posted 1 of 1");
        }
        assertThat(outcome("send Q 99" + SHORT)).contains("  posted 0 of 1");
    }

    @Test
    void theNextRequestTakesThePlaceOfWhatWasTakenBack() throws RdmaException {
        play("send Q 1" + SHORT, "chain Q 2" + LONG);
        player().discard();

        List<String> sent = outcome("send Q 3" + SHORT);

        assertThat(sent).anyMatch(line -> line.startsWith("  wqe 1 0000010a")).contains("  record 0 2");
        assertThat(sent.get(sent.size() - 1)).startsWith("  doorbell 800 0000010a");
        assertThat(outcome("cqe A Q 0 1 a 0 0 0 0 0")).isEmpty();
        assertThat(outcome("poll A 2")).anyMatch(line -> line.startsWith("  completion 3 status 0"));
    }

    @Test
    void whatWasTakenBackLeavesRoom() throws RdmaException {
        int capacity = capacity();
        for (int i = 0; i < capacity; i++) {
            play("chain Q 1" + SHORT);
            player().discard();
        }

        assertTakesAll(capacity);
    }

    @Test
    void beginsAnewAtTheFirstBlock() throws RdmaException {
        play("send Q 1" + SHORT, "recv Q 2 0:10:1");

        assertThat(outcome("reset Q")).contains("  record 0 0");

        assertThat(outcome("send Q 3" + SHORT))
                .anyMatch(line -> line.startsWith("  wqe 0 0000000a"))
                .contains("  record 0 1");
    }

    /** A block at which a work request of the former life began is in the middle of a longer request now. */
    @Test
    void forgetsWhereTheFormerRequestsBegan() throws RdmaException {
        play("send Q 1" + SHORT, "send Q 2" + SHORT, "send Q 3" + SHORT, "reset Q");
        play("send Q 4" + LONG, "send Q 5" + LONG, "cqe A Q 0 1 a 0 0 0 0 0");

        assertThat(outcome("poll A 1")).contains("  polled 0");
    }

    @Test
    void hasAllItsRoomAgain() throws RdmaException {
        int capacity = capacity();
        play("send Q 1" + SHORT, "send Q 2" + SHORT, "cqe A Q 0 1 a 0 0 0 0 0", "poll A 1");
        play("send Q 3" + SHORT, "reset Q");

        assertTakesAll(capacity);
    }
}
