// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.connectx.Segments.Codes;
import io.github.rdma4j.internal.mlx5.Cqe.Cqe64;
import io.github.rdma4j.internal.mlx5.Cqe.CqeCodes;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.script.PlayedRings;
import io.github.rdma4j.support.Seeds;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries of a completion queue that no device in order writes are passed over, and disturb nothing. */
class BadCompletionsTest extends PlayedRings {
    private static final int GARBAGE = 200_000;
    private static final String SEND = " send s 0 0 0 0 0 - 0 0 0:10:45a";

    @BeforeEach
    void makeQueues() throws RdmaException {
        open(
                Mlx5Mode.ROCE,
                "cq A 10",
                "cq B 10",
                "srq S 5 2",
                "qp Q rc A A - 10 5 2 2 64 0",
                "qp T rc A A S 4 0 1 0 20 0");
        play("send Q 1" + SEND, "recv Q 2 0:10:1", "recv S 3 0:10:1", "recv S 4 0:10:1");
        forget();
    }

    @Test
    void leavesTheOthersAsTheyAre() throws RdmaException {
        play(
                "cqe A Q 0 1 a 0 0 0 0 0",
                "cqe A Q 0 0 a 0 0 0 0 0",
                "cqe A Q 5 0 0 0 0 0 0 0",
                "cqe A Q 2 0 0 10 0 0 0 0");
        play("cqe A T 2 7 0 0 0 0 0 0", "cqe A T 2 1 0 10 0 0 0 0", "poll A 10");

        assertThat(completions()).hasSize(3);
        assertThat(out()).contains("  record 6 0");
    }

    @Test
    void isOfNoQueuePairWhenItsOwnIsGone() throws RdmaException {
        ByteBuffer entry = ByteBuffer.allocate(Cqe64.BYTES);
        entry.putInt(Cqe64.SOP_DROP_QPN, Codes.OPCODE_SEND << 24);
        play("destroy Q");

        player().write("A", entry);
        play("poll A 4");

        assertThat(completions()).isEmpty();
        assertThat(out()).contains("  record 1 0");
    }

    @Test
    void dataInsideAnEntryIsAnError() throws RdmaException {
        ByteBuffer entry = ByteBuffer.allocate(Cqe64.BYTES);
        entry.putInt(Cqe64.SOP_DROP_QPN, Codes.OPCODE_SEND << 24);
        entry.put(Cqe64.OP_OWN, (byte) (CqeCodes.MLX5_CQE_RESP_SEND << 4 | CqeCodes.MLX5_INLINE_SCATTER_32));

        player().write("A", entry);
        play("poll A 4");

        assertThat(completions()).containsExactly("  completion 2 status 21 qp 100 vendor 0");
    }
}
