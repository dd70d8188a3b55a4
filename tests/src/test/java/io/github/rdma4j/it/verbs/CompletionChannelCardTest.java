// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static java.util.Objects.requireNonNull;

import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Sleeping until a completion comes on a ConnectX in software. */
@ParameterizedClass
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@MethodSource("io.github.rdma4j.it.verbs.CardBed#names")
class CompletionChannelCardTest extends CompletionChannelScenarios {
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

    @AfterEach
    @Override
    void close() throws Exception {
        super.close();
        requireNonNull(card).close();
    }
}
