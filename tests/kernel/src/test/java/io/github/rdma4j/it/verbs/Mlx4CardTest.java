// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import java.util.function.UnaryOperator;
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
        Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
            return connectOnCard(change);
        }
    }
}
