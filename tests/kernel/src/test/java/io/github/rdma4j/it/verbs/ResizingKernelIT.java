// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.WorkCompletion;
import org.junit.jupiter.api.Test;

/** Completion queues of soft-RoCE whose size changes. */
@RequiresKernel
class ResizingKernelIT extends ResizingScenarios {
    @Test
    void awaitsCompletionsThoughOtherSizesWereRefused() throws Exception {
        try (Ends ends = connect(setup -> setup.cqEntries(10))) {
            CompletionQueue cq = ends.server().cq();
            cq.resize(200);
            assertThatThrownBy(() -> cq.resize(Integer.MAX_VALUE)).hasMessageContaining("EINVAL");
            assertThatThrownBy(() -> cq.resize(0)).isInstanceOf(IllegalArgumentException.class);
            ends.server().receive(3, 8);
            ends.client().send(4, 8);
            WorkCompletion[] one = WorkCompletion.array(1);
            assertThat(cq.await(one, Await.LIMIT)).isEqualTo(1);
            assertThat(one[0].wrId()).isEqualTo(3);
        }
    }
}
