// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import io.github.rdma4j.it.support.Ends;
import org.junit.jupiter.api.Nested;

/** The scenarios of the data path on a ConnectX-3 in software. */
class Mlx4CardTest extends ConnectXCardScenarios {
    @Override
    CardBed bed(String name) {
        return CardBed.mlx4(name);
    }

    @Nested
    class MemoryWindows extends MemoryWindowScenarios {
        @Override
        Ends connectedEnds() throws Exception {
            return connectOnCard(setup -> setup);
        }
    }
}
