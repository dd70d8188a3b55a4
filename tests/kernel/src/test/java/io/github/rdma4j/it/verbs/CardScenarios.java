// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The scenarios of the data path that every card in software passes, at each {@linkplain CardBed#names pace}. */
@ParameterizedClass
@MethodSource("io.github.rdma4j.it.verbs.CardBed#names")
abstract class CardScenarios {
    @Parameter
    String pace = "";

    @SuppressWarnings("NullAway.Init") // made before each test
    CardBed card;

    /** A new card at that pace. */
    abstract CardBed bed(String name);

    @BeforeEach
    void openCard() {
        card = bed(pace);
    }

    @AfterEach
    void closeCard() {
        card.close();
    }

    /** Two connected ends on the card. */
    final Ends connectOnCard(UnaryOperator<Loopback.Setup> change) throws Exception {
        return card.connect(change.apply(Loopback.setup()));
    }

    @Nested
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    class CompletionChannel extends CompletionChannelScenarios {
        @Override
        Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
            return connectOnCard(change);
        }
    }
}
