// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.RdmaException;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private final PingConnection.Budget budget = new PingConnection.Budget(100);

    @Test
    void givesWhatIsLeftAndNoMore() throws RdmaException {
        budget.take(60);
        assertThatThrownBy(() -> budget.take(41))
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("41 bytes")
                .hasMessageContaining("40 are left")
                .hasMessageContaining("--max-bytes");
        budget.take(40);
        budget.release(60);
        assertThat(budget.taken()).isEqualTo(40);
    }
}
