// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static java.util.Objects.requireNonNull;

import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Work requests that fail on a ConnectX in software. */
@ParameterizedClass
@MethodSource("io.github.rdma4j.it.verbs.CardBed#names")
class ErrorCompletionCardTest extends ErrorCompletionScenarios {
    @Parameter
    private String bed = "";

    private @Nullable CardBed card;

    @Override
    Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
        if (card == null) {
            card = CardBed.of(bed);
        }
        return card.connect(change.apply(Loopback.setup()));
    }

    @Override
    String tooLong() {
        return "REM_INV_REQ_ERR";
    }

    @AfterEach
    @Override
    void close() throws Exception {
        super.close();
        requireNonNull(card).close();
    }
}
