// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.mlx4.Mlx4Abi.AllocUcontextResp;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.PlayedRings;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Work requests that are taken back, limits, entries that mean nothing, and replies that no kernel in order gives. */
class Mlx4RingsTest extends PlayedRings {
    private static final String SHORT = " send s 0 0 0 0 0 - 0 0 0:10:45a";

    /** Two pieces of 64 bytes. */
    private static final String LONG = " send si 0 0 0 0 0 - 0 0 0:60:0";

    @BeforeEach
    void makeQueues() throws RdmaException {
        open(
                Mlx4Mode.ROCE,
                "cq A 10",
                "cq B 10",
                "srq S 5 2",
                "qp Q rc A A - 10 5 2 2 64 0",
                "qp T rc A A S 4 0 1 0 20 0");
    }

    private static DriverContext open(ByteBuffer reply) throws RdmaException {
        PlayedMlx4 device = new PlayedMlx4(Mlx4Mode.ROCE);
        return device.provider().context(device.device()).finish(reply);
    }

    private static ByteBuffer reply(int capabilities, int entryBytes) {
        return ByteBuffer.allocate(AllocUcontextResp.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(AllocUcontextResp.DEV_CAPS, capabilities)
                .putInt(AllocUcontextResp.CQE_SIZE, entryBytes);
    }

    @Nested
    class TakenBack {
        /** The device may read a piece of the element that was taken back, which must not look valid. */
        @Test
        void looksLikeNothingThatWasPosted() throws RdmaException {
            play("qp U rc A A - 1 1 1 1 60 0");
            for (int i = 0; i < 40; i++) {
                play("chain U 2" + LONG);
                player().discard();
                List<String> sent = outcome("send U " + i + SHORT);
                assertThat(sent).contains("  posted 1 of 1");
                assertThat(sent.stream().filter(line -> line.startsWith("  ahead ")))
                        .isNotEmpty()
                        .allMatch(line -> line.endsWith(" ffffffff"));
                play("cqe A U a " + i + " 1 0 0 0 0 0 0 0", "poll A 1");
            }
        }
    }

    @Nested
    class Limits {
        /** An element of 1024 bytes has 1008 that count: libmlx4 promises 62 pieces and 928 bytes. */
        @Test
        void grantsWhatTheLongestElementHolds() throws RdmaException {
            assertThat(outcome("qp X rc A A - 1 1 61 1 912 0")).contains("  granted 1 1 61 1 912");
            assertThat(outcome("qp Y ud A A - 1 1 59 1 884 0")).contains("  granted 1 1 59 1 884");
        }

        @Test
        void refusesWhatTheProviderDoesNotHave() {
            assertRefused("send Q 1 flush s 0 0 0 0 0 - 0 0").hasMessageContaining("no operation -1");
        }

        /** A request that changes while it is posted must not reach into the next element. */
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "cas s 0 0 0 0 0 - 0 0 0:8:1 8:8:1",
                    "fadd s 0 0 0 0 0 - 0 0 0:8:1 8:8:1",
                    "bind s 0 0 0 0 0 - 0 0 0:8:1 8:8:1",
                    "local_inv s 0 0 0 0 0 - 0 0 0:8:1 8:8:1",
                    "write s 0 0 0 0 0 - 0 0 0:8:1 8:8:1 16:8:1",
                    "write si 0 0 0 0 0 - 0 0 0:100:1"
                })
        void staysInItsElement(String request) throws RdmaException {
            play("qp X rc A A - 1 1 1 1 0 0");
            assertRefused("send X 1 " + request).hasMessageContaining("grew while it was posted");
        }

        @Test
        void leavesEmptyPiecesOfReceivesOut() throws RdmaException {
            assertThat(outcome("recv Q 1 0:0:1 16:8:2"))
                    .anyMatch(line -> line.startsWith("  entry 0 00000008 00000002"));
        }
    }

    @Nested
    class Resized {
        @Test
        void keepsWhatNobodyHasPolled() throws RdmaException {
            for (int i = 0; i < 10; i++) {
                play("send Q " + i + SHORT, "cqe A Q a " + i + " 1 0 0 0 0 0 0 0");
            }
            play("poll A 2");
            assertThat(outcome("resize A 7")).contains("  refused");
            assertThat(outcome("resize A 100")).contains("  granted 127", "  record 3 0");

            List<String> polled = outcome("poll A 16");

            assertThat(polled).contains("  polled 8").anyMatch(line -> line.startsWith("  completion 9 "));
            assertThat(outcome("resize A 5")).contains("  granted 7");
        }

        /** A kernel that says that the ring has changed, and a device that still writes to the old one. */
        @Test
        void saysThatTheDeviceHasNotMoved() throws RdmaException {
            PlayedMlx4 device = new PlayedMlx4(Mlx4Mode.ROCE);
            DriverContext context = device.provider().context(device.device()).finish(device.contextReply());
            var making = context.completionQueue(7);
            CapturedRequest.of(making);
            ByteBuffer made = ByteBuffer.allocate(making.replyBytes()).order(ByteOrder.nativeOrder());
            var ring = making.finish(new Created.Cq(1, 7, made));
            var change = ring.resize(15);
            Created.Cq granted = new Created.Cq(1, 15, ByteBuffer.allocate(0));

            assertThatThrownBy(() -> change.finish(granted))
                    .isInstanceOf(MalformedReplyException.class)
                    .hasMessageContaining("RESIZE_CQ");
            change.abandon(false);
            assertThat(ring.capacity()).isEqualTo(7);
        }
    }

    @Nested
    class Contexts {
        @ParameterizedTest
        @CsvSource({"1, 128", "1, 16", "1, -1"})
        void ofAnUnknownSizeOfCompletionsAreRefused(int capabilities, int entryBytes) {
            assertThatThrownBy(() -> open(reply(capabilities, entryBytes)))
                    .isInstanceOf(UnsupportedByKernelException.class)
                    .hasMessageContaining("completions of " + entryBytes + " bytes");
        }

        /** The reply of version 3 ends where that of version 4 has the size of completions. */
        @ParameterizedTest
        @CsvSource({"0, 32, 32", "0, 0, 32", "262144, 0, 32", "1, 64, 64", "0, 64, 32"})
        void sayHowLongCompletionsAre(int capabilities, int said, int bytes) throws RdmaException {
            Creation<Created.Cq, ?> making = open(reply(capabilities, said)).completionQueue(127);

            int pages = CapturedRequest.of(making).memory(0).capacity();

            assertThat(pages).isEqualTo(128 * bytes);
        }

        @Test
        void aCompletionQueueOfAnotherSizeIsNoneOfOurs() throws RdmaException {
            Creation<Created.Cq, ?> making = open(reply(1, 64)).completionQueue(7);
            ByteBuffer answer = ByteBuffer.allocate(making.replyBytes());

            assertThatThrownBy(() -> making.finish(new Created.Cq(1, 15, answer)))
                    .isInstanceOf(MalformedReplyException.class);
            making.abandon(true);
        }
    }
}
