// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.providers.kernel.IrdmaSettings;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The scenarios of the data path on an E810 over RoCE in software, at each {@linkplain CardBed#names pace}. */
class IrdmaCardTest extends RcAndUdCardScenarios {
    @Override
    CardBed bed(String name) {
        return CardBed.irdma(new IrdmaSettings(), name);
    }

    @Override
    int mostInline() {
        return 101;
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

    @Nested
    class MemoryWindows extends MemoryWindowScenarios {
        @Override
        Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
            return connectOnCard(change);
        }
    }
}
