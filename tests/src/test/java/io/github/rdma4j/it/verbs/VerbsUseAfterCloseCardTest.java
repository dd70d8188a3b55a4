// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static java.util.Objects.requireNonNull;

import io.github.rdma4j.verbs.DeviceContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Closed handles on a ConnectX in software. */
@ParameterizedClass
@ValueSource(strings = {"ioctl", "write"})
class VerbsUseAfterCloseCardTest extends VerbsUseAfterCloseScenarios {
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

    @AfterEach
    @Override
    void close() throws Exception {
        super.close();
        requireNonNull(card).close();
    }
}
