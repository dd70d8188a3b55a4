// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.QueuePairType;
import org.junit.jupiter.api.Test;

/** The scenarios of the data path on a NetXtreme-E in software, at each {@linkplain CardBed#names pace}. */
class BnxtCardTest extends SharedReceivesCardScenarios {
    @Override
    CardBed bed(String name) {
        return CardBed.bnxt(name);
    }

    @Override
    int mostInline() {
        return 96;
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
