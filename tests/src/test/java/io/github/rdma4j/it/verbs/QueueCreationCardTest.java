// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.verbs.DeviceContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Queues on a ConnectX in software. */
class QueueCreationCardTest extends QueueCreationScenarios {
    private @Nullable CardBed card;

    private CardBed card() {
        if (card == null) {
            card = CardBed.prompt();
        }
        return card;
    }

    @Override
    DeviceContext openContext() throws Exception {
        return card().openContext();
    }

    /** The provider computes what the queue needs and knows the limits. */
    @Override
    void assertRefused(ThrowingCall call) {
        assertThatThrownBy(call::run).isInstanceOf(IllegalArgumentException.class);
    }

    @AfterEach
    @Override
    void close() throws Exception {
        super.close();
        requireNonNull(card).close();
    }
}
