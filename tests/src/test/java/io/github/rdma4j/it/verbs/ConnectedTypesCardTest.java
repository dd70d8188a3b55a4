// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static java.util.Objects.requireNonNull;

import io.github.rdma4j.it.support.Datagrams;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What each connected type can do on a ConnectX in software. */
@ParameterizedClass
@MethodSource("io.github.rdma4j.it.verbs.CardBed#names")
class ConnectedTypesCardTest extends ConnectedTypesScenarios {
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

    @AfterEach
    @Override
    void close() throws Exception {
        super.close();
        requireNonNull(card).close();
    }
}
