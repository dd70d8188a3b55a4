// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.bnxt;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.providers.kernel.BnxtSettings;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.provider.CardPair;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The limit of a shared receive queue, and a device that tells of a failure by an event only. */
@Timeout(60)
class BnxtFaultsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    // ---- the limit of a shared receive queue

    /** A queue pair whose peer takes receives from a shared queue, on the completion queue of a pair. */
    private record Shared(CardPair pair, SharedReceiveQueue srq, QueuePair sender) {
        static Shared connect(CardPair pair) throws RdmaException {
            SharedReceiveQueue srq = pair.pd()
                    .createSrq(
                            SharedReceiveQueueOptions.builder().maxReceiveWr(20).build());
            QueuePair sender = pair.pd().createQp(pair.options());
            QueuePair receiver =
                    pair.pd().createQp(pair.options().toBuilder().srq(srq).build());
            RawConnection.connect(sender, receiver, CardKernel.WAY);
            return new Shared(pair, srq, sender);
        }

        /** A message uses the receive {@code wrId}. */
        void use(long wrId) throws RdmaException {
            sender.postSend(pair.send(100).unsignaled());
            pair.settle();
            assertThat(pair.poll().wrId()).isEqualTo(wrId);
        }

        void assertSilent() throws Exception {
            pair.settle();
            assertThat(pair.context().awaitAsyncEvent(Duration.ZERO)).isEmpty();
        }

        void assertLimitReached() throws Exception {
            assertThat(pair.context().awaitAsyncEvent(LIMIT))
                    .hasValueSatisfying(
                            event -> assertThat(srq.isLimitReached(event)).isTrue());
            assertSilent();
        }
    }

    /** The device hears of the limit when there are more receives than that. */
    @Test
    void saysOnceThatALimitIsReached() throws Exception {
        try (CardPair pair = new CardPair(new BnxtSettings())) {
            Shared shared = Shared.connect(pair);
            for (int limit : new int[] {2, 4}) {
                shared.srq().modifyLimit(limit);
                for (int i = 0; i <= limit; i++) {
                    shared.srq().postReceive(pair.receive(i));
                }
                shared.assertSilent();
                for (int i = 0; i <= limit; i++) {
                    shared.use(i);
                }
                shared.assertLimitReached();
            }
        }
    }

    @Test
    void tellsTheDeviceAtOnceWhenThereAreReceives() throws Exception {
        try (CardPair pair = new CardPair(new BnxtSettings())) {
            Shared shared = Shared.connect(pair);
            shared.srq().postReceive(pair.receive(1));
            shared.srq().postReceive(pair.receive(2));
            shared.srq().modifyLimit(1);
            shared.use(1);
            shared.assertSilent();
            shared.use(2);
            shared.assertLimitReached();
        }
    }

    // ---- a device that tells of a failure by an event only

    /** A write with a wrong key fails the queue pair of the one that is written to. */
    private static CardPair failServerByEvent() throws RdmaException {
        CardPair pair = new CardPair(new BnxtSettings().withoutTermination());
        pair.server().postReceive(pair.receive(1));
        pair.client()
                .postSend(pair.write(2)
                        .rdmaWrite(pair.region().iova(), pair.region().rkey() + 77));
        pair.settle();
        assertThat(pair.poll().isSuccess()).isFalse();
        assertThat(pair.isEmpty()).isTrue();
        return pair;
    }

    private static void takeEvent(CardPair pair) throws Exception {
        assertThat(pair.context().awaitAsyncEvent(LIMIT)).map(AsyncEvent::type).contains(AsyncEventType.QP_ACCESS_ERR);
    }

    @Test
    void flushesAQueuePairWhenItsEventIsTaken() throws Exception {
        try (CardPair pair = failServerByEvent()) {
            takeEvent(pair);
            assertThat(pair.poll().wrId()).isEqualTo(1);
            pair.server().postSend(pair.send(3));
            pair.server().postReceive(pair.receive(4));
            assertThat(pair.poll().wrId()).isEqualTo(3);
            assertThat(pair.poll().wrId()).isEqualTo(4);
            assertThat(pair.isEmpty()).isTrue();
        }
    }

    /** An event of a former life says nothing of the next. */
    @Test
    void flushesNothingOfAQueuePairThatWasResetSinceItsEvent() throws Exception {
        try (CardPair pair = failServerByEvent()) {
            pair.server().modify(QpAttr.builder().state(QpState.RESET).build());
            pair.client().modify(QpAttr.builder().state(QpState.RESET).build());
            RawConnection.connect(pair.client(), pair.server(), CardKernel.WAY);
            pair.server().postReceive(pair.receive(1));
            takeEvent(pair);
            assertThat(pair.isEmpty()).isTrue();
            pair.client().postSend(pair.send(2).unsignaled());
            pair.settle();
            assertThat(pair.poll().isSuccess()).isTrue();
        }
    }
}
