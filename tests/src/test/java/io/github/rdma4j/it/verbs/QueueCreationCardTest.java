// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.verbs.DeviceContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues on a ConnectX in software. */
@ParameterizedClass
@ValueSource(strings = {"ioctl", "write"})
class QueueCreationCardTest extends QueueCreationScenarios {
    @Parameter
    private String bed = "";

    private @Nullable CardBed card;

    private CardBed card() {
        if (card == null) {
            card = CardBed.of(bed);
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
