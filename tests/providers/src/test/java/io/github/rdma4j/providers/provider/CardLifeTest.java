// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The life of queues step by step: every doorbell is seen, and every completion is taken at once. */
@ParameterizedClass
@EnumSource
class CardLifeTest {
    @Parameter
    private CardKind kind = CardKind.MLX5;

    @Test
    void goesOnWhenTheCountersStartAnew() throws Exception {
        try (CardPair pair = kind.pair()) {
            for (int i = 0; i < kind.counts(); i++) {
                pair.buffer().putInt(0, i);
                pair.client().postSend(pair.write(i));
                pair.settle();
                assertThat(pair.poll().wrId()).isEqualTo(i);
                assertThat(pair.buffer().getInt(64)).isEqualTo(i);
            }
        }
    }

    @Test
    @Nightly
    void goesOnWhenTheCounterOfReceivesStartsAnew() throws Exception {
        try (CardPair pair = kind.pair()) {
            SendWorkRequest send = pair.send(1);
            for (int i = 0; i < kind.counts(); i++) {
                pair.server().postReceive(pair.receive(i));
                pair.client().postSend(send);
                pair.settle();
                assertThat(pair.poll().wrId() + pair.poll().wrId()).isEqualTo(i + 1L);
            }
        }
    }

    @Test
    void freesTheRoomOfUnsignaledWork() throws Exception {
        try (CardPair pair = kind.pair()) {
            int room = pair.client().capacities().maxSendWr();
            for (int lap = 0; lap < 10; lap++) {
                for (int i = 1; i < room; i++) {
                    pair.client().postSend(pair.write(i).unsignaled());
                }
                pair.client().postSend(pair.write(lap));
                assertThat(pair.client().tryPostSend(pair.write(0))).isFalse();
                pair.settle();
                assertThat(pair.poll().wrId()).isEqualTo(lap);
                assertThat(pair.isEmpty()).isTrue();
            }
        }
    }

    @Test
    void flushesBothQueues() throws Exception {
        try (CardPair pair = kind.pair()) {
            pair.server().postReceive(pair.receive(1));
            pair.server().postReceive(pair.receive(2));
            pair.server().moveToError();
            pair.server().postSend(pair.write(3).unsignaled());
            pair.settle();
            long sum = 0;
            for (int i = 0; i < 3; i++) {
                WorkCompletion flushed = pair.poll();
                assertThat(flushed.statusName()).isEqualTo("WR_FLUSH_ERR");
                sum += flushed.wrId();
            }
            assertThat(sum).isEqualTo(6);
        }
    }
}
