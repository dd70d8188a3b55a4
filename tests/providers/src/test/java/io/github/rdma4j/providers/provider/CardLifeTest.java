// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.providers.card.Timing;
import io.github.rdma4j.support.NewSeed;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
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
    void waitsForWhatIsReadBeforeAFence() throws Exception {
        long first = NewSeed.of("CardLifeTest, fences");
        for (long seed = first; seed < first + 20; seed++) {
            try (CardPair pair = kind.pair(Timing.hostile(seed))) {
                pair.buffer().putLong(0, 1).putLong(256, 2);
                pair.client().postSend(pair.read(1, 256));
                pair.client().postSend(pair.write(2).fenced());
                pair.settle();
                assertThat(pair.poll().wrId()).isEqualTo(1);
                assertThat(pair.poll().wrId()).isEqualTo(2);
                assertThat(pair.buffer().getLong(64)).isEqualTo(2);
            }
        }
    }

    @ParameterizedTest
    @Seeds
    void keepsDataWholeWhereverAWorkRequestLies(long seed) throws Exception {
        Random random = new Random(seed);
        byte[] message = new byte[kind.inline()];
        try (CardPair pair = kind.pair()) {
            for (int i = 0; i < 1000; i++) {
                random.nextBytes(message);
                int length = random.nextInt(message.length + 1);
                pair.buffer().put(0, message);
                pair.server().postReceive(pair.receive(i));
                pair.client().postSend(inPieces(pair, random, length));
                pair.settle();
                WorkCompletion first = pair.poll();
                int received =
                        first.isReceive() ? first.byteLength() : pair.poll().byteLength();
                if (first.isReceive()) {
                    pair.poll();
                }
                assertThat(received).isEqualTo(length);
                assertThat(pair.buffer().slice(128, length))
                        .isEqualTo(pair.buffer().slice(0, length));
            }
        }
    }

    /** A send of the first bytes: inline, or in pieces of which some may be empty. */
    private SendWorkRequest inPieces(CardPair pair, Random random, int length) {
        int pieces = kind.pieces();
        SendWorkRequest request = new SendWorkRequest(pieces).send().signaled();
        if (random.nextBoolean()) {
            return request.inline(pair.buffer().slice(0, length));
        }
        int at = 0;
        for (int i = 1; i < pieces; i++) {
            int part = random.nextInt(length - at + 1);
            request.add(pair.region(), at, part);
            at += part;
        }
        return request.add(pair.region(), at, length - at);
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
    void takesAFullCompletionQueueInOneGo() throws Exception {
        try (CardPair pair = kind.pair()) {
            WorkCompletion[] all = WorkCompletion.array(CardPair.COMPLETIONS);
            for (int lap = 0; lap < 9; lap++) {
                for (int i = 0; i < CardPair.COMPLETIONS; i++) {
                    pair.client().postSend(pair.write(i));
                    pair.settle();
                }
                assertThat(pair.cq().poll(all)).isEqualTo(CardPair.COMPLETIONS);
                for (int i = 0; i < CardPair.COMPLETIONS; i++) {
                    assertThat(all[i].wrId()).isEqualTo(i);
                }
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
