// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.connectx.Segments.Codes;
import io.github.rdma4j.internal.mlx5.Cqe.Cqe64;
import io.github.rdma4j.internal.mlx5.Cqe.CqeCodes;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.AllocUcontextResp;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.providers.script.PlayedRings;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What mlx5 alone does: limits, work requests that are taken back, a send queue that begins anew, data inside completions. */
class Mlx5RingsTest extends PlayedRings {
    /** What a ConnectX does not take is refused before the kernel is asked, and says what it takes. */
    @Nested
    class Limits {
        private static final Mlx5Mode ROCE = Mlx5Mode.ROCE;
        private static final Created.Pd DOMAIN = new Created.Pd(1, ByteBuffer.allocate(0));

        private final PlayedMlx5 device = new PlayedMlx5(ROCE);

        private DriverContext openContext(ByteBuffer reply) throws RdmaException {
            return device.provider().context(device.device()).finish(reply);
        }

        @ParameterizedTest
        @CsvSource({
            "qp Q rc A A - 8192 32768 1 1 0 1, 8192 32768 1 1 60",
            "qp Q ud A A - 1 1 59 32 940 0, 1 1 59 32 940",
            "qp Q rc A A - 0 0 0 0 0 0, 0 0 0 0 0"
        })
        void takesTheLargestAndTheSmallest(String line, String granted) throws RdmaException {
            open(ROCE, "cq A 10", line);

            assertThat(out()).contains("  granted " + granted);
        }

        @Test
        void aQueuePairWithoutQueuesIsFull() throws RdmaException {
            open(ROCE, "cq A 10", "qp Q rc A A - 0 0 0 0 0 0", "send Q 1 send s 0 0 0 0 0 - 0 0", "recv Q 1");

            assertThat(out()).contains("  posted 0 of 1", "  full");
        }

        @Test
        void refusesCompletionsOfAnUnknownVersion() {
            ByteBuffer reply = device.contextReply().put(AllocUcontextResp.CQE_VERSION, (byte) 2);

            assertThatThrownBy(() -> openContext(reply))
                    .isInstanceOf(UnsupportedByKernelException.class)
                    .hasMessageContaining("version 2");
        }

        @Test
        void refusesAContextWithoutSizes() {
            ByteBuffer reply = device.contextReply().putInt(AllocUcontextResp.MAX_SEND_WQEBB, 0);

            assertThatThrownBy(() -> openContext(reply)).isInstanceOf(MalformedReplyException.class);
        }

        @Test
        void datagramsOverEthernetNeedTheMacOfThePeer() throws RdmaException {
            DriverContext context = openContext(device.contextReply().put(AllocUcontextResp.CMDS_SUPP_UHW, (byte) 0));

            assertThatThrownBy(() -> context.addressHandle(DOMAIN, AhAttr.to(new Gid(0, 1), 0, 1)))
                    .isInstanceOf(UnsupportedByKernelException.class)
                    .hasMessageContaining("Linux 4.10");
        }
    }

    /** Work requests that are taken back, and a send queue that begins anew. */
    @Nested
    class SendRing {
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

            assertThat(sent)
                    .anyMatch(line -> line.startsWith("  wqe 1 0000010a"))
                    .contains("  record 0 2");
            assertThat(sent.get(sent.size() - 1)).startsWith("  doorbell 800 0000010a");
            assertThat(outcome("cqe A Q 0 1 a 0 0 0 0 0")).isEmpty();
            assertThat(outcome("poll A 2")).anyMatch(line -> line.startsWith("  completion 3 status 0"));
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

    @Test
    void dataInsideAnEntryIsAnError() throws RdmaException {
        open(Mlx5Mode.ROCE, "cq A 10", "qp Q rc A A - 1 1 1 1 0 0", "recv Q 2 0:10:1");
        forget();
        ByteBuffer entry = ByteBuffer.allocate(Cqe64.BYTES);
        entry.putInt(Cqe64.SOP_DROP_QPN, Codes.OPCODE_SEND << 24);
        entry.put(Cqe64.OP_OWN, (byte) (CqeCodes.MLX5_CQE_RESP_SEND << 4 | CqeCodes.MLX5_INLINE_SCATTER_32));

        player().write("A", entry);
        play("poll A 4");

        assertThat(completions()).containsExactly("  completion 2 status 21 qp 100 vendor 0");
    }
}
