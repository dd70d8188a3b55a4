// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Receives of soft-RoCE that several queue pairs take from. */
@RequiresKernel
class SharedReceiveQueueKernelIT extends SharedReceiveQueueScenarios {
    @Test
    void hasTheLimitThatItWasMadeWith() throws Exception {
        SharedReceiveQueue limited = pd().createSrq(SharedReceiveQueueOptions.builder()
                .maxReceiveWr(8)
                .limit(3)
                .build());
        assertThat(limited.query().limit()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {2_000_000, Integer.MAX_VALUE})
    void refusesImpossibleSizes(int size) {
        assertInvalid(() -> pd().createSrq(
                        SharedReceiveQueueOptions.builder().maxReceiveWr(size).build()));
        assertInvalid(() -> pd().createSrq(
                        SharedReceiveQueueOptions.builder().maxReceiveSge(size).build()));
        assertInvalid(() -> pd().createSrq(
                        SharedReceiveQueueOptions.builder().maxReceiveWr(0).build()));
    }
}
