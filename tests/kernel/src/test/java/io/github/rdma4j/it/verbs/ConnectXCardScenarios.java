// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The scenarios that a ConnectX of any generation passes. */
abstract class ConnectXCardScenarios extends CardScenarios {
    @Nested
    class ConnectedTypes extends ConnectedTypesScenarios {
        @Override
        Datagrams openDevice() throws Exception {
            return card.device();
        }
    }

    @Nested
    class DataPath extends DataPathScenarios {
        @Override
        Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
            return connectOnCard(change);
        }
    }

    @Nested
    class Datagram extends DatagramScenarios {
        @Override
        Datagrams openDevice() throws Exception {
            return card.device();
        }
    }

    @Nested
    class ErrorCompletion extends ErrorCompletionScenarios {
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

        /** As with ibv_create_srq(3), where the limit is irrelevant. */
        @Test
        void takesNoLimitWhenItIsMade() throws Exception {
            try (Datagrams device = openDevice()) {
                SharedReceiveQueue limited = device.pd()
                        .createSrq(SharedReceiveQueueOptions.builder()
                                .maxReceiveWr(8)
                                .limit(3)
                                .build());
                assertThat(limited.query().limit()).isZero();
                assertThat(device.context().awaitAsyncEvent(Duration.ZERO)).isEmpty();
                // The queue has fewer receives than the limit: the event comes at once.
                limited.modifyLimit(3);
                AsyncEvent event = device.context().awaitAsyncEvent(Await.LIMIT).orElseThrow();
                assertThat(limited.isLimitReached(event)).isTrue();
            }
        }
    }
}
