// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeTest {
    @Test
    void countsTheDevicesObjectsWhateverItsIndexIs() {
        assertThat(Node.parseObjects("3: rxe0: pd 1 cq 2 qp 1 cm_id 0 mr 0 ctx 0 srq 0 \n", "rxe0"))
                .containsEntry("kernel.pd", 1L)
                .containsEntry("kernel.cq", 2L)
                .containsEntry("kernel.srq", 0L)
                .hasSize(7);
    }

    @Test
    void ignoresOtherDevicesAndEmptyOutput() {
        assertThat(Node.parseObjects("0: mlx5_0: pd 3 cq 5\n", "rxe0")).isEmpty();
        assertThat(Node.parseObjects("\n", "rxe0")).isEmpty();
    }
}
