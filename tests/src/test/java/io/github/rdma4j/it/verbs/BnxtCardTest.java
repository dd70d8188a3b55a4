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

/** The scenarios of the data path on a NetXtreme-E in software, at each {@linkplain CardBed#names pace}. */
class BnxtCardTest extends RcAndUdCardScenarios {
    @Override
    CardBed bed(String name) {
        return CardBed.bnxt(name);
    }

    @Override
    int mostInline() {
        return 96;
    }

    @Nested
    class Atomics extends AtomicScenarios {
        @Override
        Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
            return connectOnCard(change);
        }
    }

    @Nested
    class SharedReceives extends SharedReceiveQueueScenarios {
        @Override
        Datagrams openDevice() throws Exception {
            return card.device();
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
