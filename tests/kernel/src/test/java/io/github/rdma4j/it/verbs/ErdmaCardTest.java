// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The scenarios of the data path on an elastic RDMA adapter in software, at each {@linkplain CardBed#names pace}. */
class ErdmaCardTest extends CardScenarios {
    @Override
    CardBed bed(String name) {
        return CardBed.erdma(name);
    }

    @Nested
    class DataPath extends DataPathScenarios {
        @Override
        Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
            return connectOnCard(change);
        }

        /** As many as an element has room for. */
        @Override
        int inlineBytes() {
            return 96;
        }

        @Override
        int receivePieces() {
            return 1;
        }

        /** The device scatters nothing. */
        @Override
        @Test
        void gathersFourPiecesAndScattersIntoTwo() throws Exception {
            server().qp().postReceive(new ReceiveWorkRequest(1).wrId(22).add(server().region(), 4000, 3500));
            client().qp()
                    .postSend(new SendWorkRequest(4)
                            .wrId(11)
                            .signaled()
                            .send()
                            .add(client().region(), 0, 1)
                            .add(client().region(), 100, 1000)
                            .add(client().region(), 3000, 0)
                            .add(client().region(), 5000, 1499));
            assertThat(server().success().byteLength()).isEqualTo(2500);
            client().success();
            assertThat(server().buffer().slice(4000, 1))
                    .isEqualTo(client().buffer().slice(0, 1));
            assertThat(server().buffer().slice(4001, 1000))
                    .isEqualTo(client().buffer().slice(100, 1000));
            assertThat(server().buffer().slice(5001, 1499))
                    .isEqualTo(client().buffer().slice(5000, 1499));
        }

        @Test
        void refusesToReadIntoSeveralPieces() {
            SendWorkRequest read = new SendWorkRequest(2)
                    .rdmaRead(server().region().iova(), server().region().rkey())
                    .add(client().region(), 0, 8)
                    .add(client().region(), 8, 8);
            assertThatThrownBy(() -> client().qp().postSend(read))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("2 pieces")
                    .hasMessageContaining("erdma reads into 1");
        }
    }

    @Nested
    class Atomics extends AtomicScenarios {
        @Override
        Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
            return connectOnCard(change);
        }
    }

    @Nested
    class Errors {
        @SuppressWarnings("NullAway.Init") // made before each test
        private Ends ends;

        @BeforeEach
        void connect() throws Exception {
            ends = card.connect(Loopback.setup());
        }

        @AfterEach
        void close() throws Exception {
            ends.close();
        }

        private void assertFlushed(End end, long wrId) throws Exception {
            WorkCompletion completion = end.completion();
            assertThat(completion.wrId()).as("%s", completion).isEqualTo(wrId);
            assertThat(completion.statusName()).isEqualTo("WR_FLUSH_ERR");
        }

        private SendWorkRequest write(long wrId, int key) {
            return new SendWorkRequest(1)
                    .wrId(wrId)
                    .signaled()
                    .rdmaWrite(ends.server().region().iova(), key)
                    .add(ends.client().region(), 0, 64);
        }

        @Test
        void aWrongKeyFailsTheWriteAndFlushesTheRest() throws Exception {
            ends.client().receive(8, 64);
            int key = ends.server().region().rkey();
            ends.client().qp().postSend(write(1, key + 0x100));
            ends.client().qp().postSend(write(2, key));
            WorkCompletion failed = ends.client().completion();
            assertThat(failed.wrId()).isEqualTo(1);
            assertThat(failed.statusName()).isEqualTo("GENERAL_ERR");
            List<String> flushed = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                WorkCompletion completion = ends.client().completion();
                flushed.add(completion.wrId() + " " + completion.statusName());
            }
            assertThat(flushed).containsExactlyInAnyOrder("2 WR_FLUSH_ERR", "8 WR_FLUSH_ERR");
        }

        @Test
        void aMessageThatIsTooLongFailsTheReceive() throws Exception {
            ends.server().receive(7, 63);
            ends.client().send(1, 64);
            WorkCompletion received = ends.server().completion();
            assertThat(received.wrId()).isEqualTo(7);
            assertThat(received.statusName()).isEqualTo("REM_ACCESS_ERR");
            assertThat(ends.client().completion().isSuccess()).isFalse();
        }

        @Test
        void flushesReceivesInOrder() throws Exception {
            for (int i = 0; i < 5; i++) {
                ends.server().receive(i, 64);
            }
            ends.server().qp().moveToError();
            for (int i = 0; i < 5; i++) {
                assertFlushed(ends.server(), i);
            }
        }

        /** The device looks at nothing that is posted in ERR: the provider flushes it, after what the device flushes. */
        @Test
        void flushesWhatIsPostedInErrorAfterWhatWasPostedBefore() throws Exception {
            End client = ends.client();
            client.receive(40, 64);
            client.qp().moveToError();
            int depth = client.qp().capacities().maxSendWr();
            int key = ends.server().region().rkey();
            client.receive(41, 64);
            assertFlushed(client, 40);
            assertFlushed(client, 41);
            for (int lap = 0; lap < 3; lap++) {
                for (int i = 0; i < depth; i++) {
                    client.qp().postSend(write(i, key));
                }
                assertThat(client.qp().tryPostSend(write(99, key))).isFalse();
                for (int i = 0; i < depth; i++) {
                    assertFlushed(client, i);
                }
                client.receive(50 + lap, 64);
                assertFlushed(client, 50 + lap);
            }
            assertThat(client.cq().poll(WorkCompletion.array(1))).isZero();
        }
    }

    @Test
    void refusesWhatTheDeviceDoesNotHave() throws Exception {
        try (DeviceContext context = card.openContext()) {
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCq(10);
            assertThatThrownBy(() -> pd.createQp(QueuePairOptions.builder()
                            .cq(cq)
                            .type(QueuePairType.UC)
                            .build()))
                    .isInstanceOf(UnsupportedByKernelException.class)
                    .hasMessageContaining("reliable connected");
            assertThatThrownBy(() ->
                            pd.createSrq(SharedReceiveQueueOptions.builder().build()))
                    .isInstanceOf(UnsupportedByKernelException.class)
                    .hasMessageContaining("no shared receive queues");
            assertThatThrownBy(() -> pd.createQp(
                            QueuePairOptions.builder().cq(cq).maxReceiveSge(2).build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("maxReceiveSge is 2; the device takes 0 to 1");
        }
    }
}
