// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.Await;
import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Receives that several queue pairs take from on a ConnectX in software. */
@ParameterizedClass
@MethodSource("io.github.rdma4j.it.verbs.CardBed#names")
class SharedReceiveQueueCardTest extends SharedReceiveQueueScenarios {
    @Parameter
    private String bed = "";

    private @Nullable CardBed card;

    @Override
    Datagrams openDevice() throws Exception {
        if (card == null) {
            card = CardBed.of(bed);
        }
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
            // Fewer receives than the limit: the device tells at once.
            limited.modifyLimit(3);
            AsyncEvent event = device.context().awaitAsyncEvent(Await.LIMIT).orElseThrow();
            assertThat(limited.isLimitReached(event)).isTrue();
        }
    }

    @AfterEach
    @Override
    void close() throws Exception {
        super.close();
        requireNonNull(card).close();
    }
}
