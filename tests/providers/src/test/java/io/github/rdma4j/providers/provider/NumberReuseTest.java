// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.verbs.QueuePair;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The kernel gives the number of a queue pair to the next one as soon as it has destroyed the first. */
@Timeout(60)
class NumberReuseTest {
    /**
     * Another thread makes a queue pair between DESTROY_QP and what the provider does about it. Version 0 has no user indexes;
     * completions of irdma name queue pairs by no number of the kernel.
     */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = "IRDMA.*")
    void completionsOfAQueuePairThatGoesAreNotThoseOfTheNext(CardKind kind) throws Exception {
        try (CardPair pair = kind.pair(kind.settings().withNumbersAgain())) {
            pair.client().postSend(pair.write(1));
            pair.settle();
            FutureTask<QueuePair> making = new FutureTask<>(() -> pair.pd().createQp(pair.options()));
            Thread maker = new Thread(making, "maker");
            pair.kernel().afterNextCommand(() -> {
                maker.start();
                while (maker.getState() != Thread.State.WAITING && maker.isAlive()) {
                    Thread.onSpinWait();
                }
            });

            pair.client().close();
            QueuePair next = making.get();
            assertThat(next.qpn()).isEqualTo(pair.client().qpn());
            RawConnection.connect(next, pair.server().qpn(), CardKernel.WAY);
            next.postSend(pair.write(2));

            assertThat(pair.isEmpty()).as("nothing has completed").isTrue();
            pair.settle();
            assertThat(pair.poll().wrId()).isEqualTo(2);
        }
    }
}
