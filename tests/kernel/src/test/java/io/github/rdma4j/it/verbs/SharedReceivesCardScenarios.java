// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;

/** The scenarios that a RoCE device passes that has atomic operations and shared receive queues too. */
abstract class SharedReceivesCardScenarios extends RcAndUdCardScenarios {
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
}
