// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scenarios of the data path on a NetXtreme-E in software, at each {@linkplain CardBed#names pace}. */
class BnxtCardTest extends CardScenarios {
    @Override
    CardBed bed(String name) {
        return CardBed.bnxt(name);
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
            return 96;
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
    class SharedReceives extends SharedReceiveQueueScenarios {
        @Override
        Datagrams openDevice() throws Exception {
            return card.device();
        }
    }

    @Nested
    class Resizing extends ResizingScenarios {
        @Override
        Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
            return connectOnCard(change);
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
                    .hasMessage("bnxt_re has queue pairs of types RC and UD only; no UC");
        }
    }
}
