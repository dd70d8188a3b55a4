// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.lab.providers.kernel.IrdmaSettings;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scenarios of the data path on an E810 over RoCE in software, at each {@linkplain CardBed#names pace}. */
class IrdmaCardTest extends CardScenarios {
    @Override
    CardBed bed(String name) {
        return CardBed.irdma(new IrdmaSettings(), name);
    }

    @Nested
    class DataPath extends DataPathScenarios {
        @Override
        Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
            return connectOnCard(change);
        }

        /** The device takes no more. */
        @Override
        int inlineBytes() {
            return 101;
        }
    }

    @Nested
    class Datagram extends DatagramScenarios {
        @Override
        Datagrams openDevice() throws Exception {
            return card.device();
        }

        /** The device has no unreliable connected queue pairs. */
        @Override
        @ParameterizedTest
        @EnumSource(names = {"RC", "UD"})
        void makesQueuePairsOfEachType(QueuePairType type) throws Exception {
            super.makesQueuePairsOfEachType(type);
        }
    }

    @Nested
    class ErrorCompletion extends ErrorCompletionScenarios {
        @Override
        Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
            return connectOnCard(change);
        }

        @Override
        String tooLong() {
            return "REM_INV_REQ_ERR";
        }
    }

    @Nested
    class Resizing {
        private Ends connect() throws Exception {
            return card.connect(Loopback.setup().cqEntries(16));
        }

        private static void write(End from, End to, int wrId) throws Exception {
            from.qp()
                    .postSend(new SendWorkRequest(1)
                            .wrId(wrId)
                            .signaled()
                            .rdmaWrite(to.region().iova(), to.region().rkey())
                            .add(from.region(), 0, 8));
        }

        /** Completions in the ring from before come first; each ring takes as many laps as there are. */
        @Test
        void losesNoCompletion() throws Exception {
            try (Ends ends = connect()) {
                End client = ends.client();
                int expected = 0;
                int posted = 0;
                for (int size : new int[] {16, 40, 12, 300, 12, 13, 12}) {
                    for (int i = 0; i < 5; i++) {
                        write(client, ends.server(), posted++);
                    }
                    client.cq().resize(size);
                    assertThat(client.cq().capacity()).isEqualTo(size);
                    for (int i = 0; i < 3; i++) {
                        write(client, ends.server(), posted++);
                    }
                    while (expected < posted) {
                        assertThat(client.success().wrId()).isEqualTo(expected++);
                    }
                    for (int i = 0; i < 700; i++) {
                        write(client, ends.server(), posted++);
                        assertThat(client.success().wrId()).isEqualTo(expected++);
                    }
                }
                assertThat(client.cq().poll(WorkCompletion.array(1))).isZero();
            }
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
                    .hasMessage("the device has queue pairs of types RC and UD only; no UC");
            assertThatThrownBy(() ->
                            pd.createSrq(SharedReceiveQueueOptions.builder().build()))
                    .isInstanceOf(UnsupportedByKernelException.class)
                    .hasMessageContaining("no shared receive queues");
            assertThatThrownBy(() -> pd.createQp(
                            QueuePairOptions.builder().cq(cq).maxReceiveSge(14).build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("maxReceiveSge is 14; the device takes 0 to 13");
        }
    }
}
