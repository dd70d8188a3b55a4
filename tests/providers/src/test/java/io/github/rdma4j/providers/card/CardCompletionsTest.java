// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.providers.card.CardFault.Syndrome;
import io.github.rdma4j.providers.card.HandMadeQueues.Side;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Completion queues of the device: ownership, overrun, and events for those who arm. */
class CardCompletionsTest {
    private static final int ENTRIES = 16;
    private static final String EVENT = "completion on 0x400";
    private static final long CQN = 0x400;

    private final HandMadeQueues queues = new HandMadeQueues();
    private final Side sender = queues.sender();

    private void writeNothing(int flags) {
        sender.post(sender.control(Opcodes.RDMA_WRITE, 2, flags), "11223344 55667788 cafe0001 00000000");
    }

    private void complete() {
        writeNothing(SendElement.SIGNALED);
    }

    private void arm(int word) {
        sender.cqRecord().putInt(4, word);
        queues.store(UarPage.CQ_DOORBELL, (long) word << 32 | CQN);
        queues.card().settle();
    }

    @Test
    void changesTheOwnerWithEveryLap() {
        for (int i = 0; i < 5 * ENTRIES; i++) {
            complete();
            assertThat(sender.poll().counter()).isEqualTo(i);
        }
        assertThat(queues.card().complaints()).isEmpty();
    }

    @Test
    void fillsAllEntriesAndThenOverruns() {
        for (int i = 0; i < ENTRIES; i++) {
            complete();
        }
        assertThat(queues.events()).isEmpty();
        complete();
        assertThat(queues.events()).containsExactly("event 0 of CQ 0x400");
        assertThat(sender.cq().isOverrun()).isTrue();
        assertThat(sender.qp().state()).isEqualTo(CardQp.ERR);
        for (int i = 0; i < ENTRIES; i++) {
            assertThat(sender.poll().counter()).isEqualTo(i);
        }
    }

    @Test
    void complainsAboutARecordThatIsAhead() {
        sender.cqRecord().putInt(0, 1);
        complete();
        assertThat(queues.card().complaints()).singleElement().asString().contains("more than was completed");
    }

    @Test
    void keepsSilentUnlessArmed() {
        complete();
        assertThat(queues.events()).isEmpty();
    }

    @Test
    void tellsOnceForEachArming() {
        arm(0);
        complete();
        complete();
        assertThat(queues.events()).containsExactly(EVENT);
        sender.poll();
        sender.poll();
        arm(1 << 28 | 2);
        assertThat(queues.events()).hasSize(1);
        complete();
        assertThat(queues.events()).containsExactly(EVENT, EVENT);
    }

    @Test
    void tellsAtOnceOfWhatThePollerHasNotSeen() {
        complete();
        arm(0);
        assertThat(queues.events()).containsExactly(EVENT);
    }

    @Test
    void ignoresASequenceNumberWhoseEventHasCome() {
        arm(0);
        complete();
        sender.poll();
        arm(1);
        complete();
        assertThat(queues.events()).hasSize(1);
        assertThat(sender.cq().ineffectiveArms()).isEqualTo(1);
    }

    @Test
    void takesANewArmingInThePlaceOfTheOld() {
        arm(1 << 24);
        arm(0);
        complete();
        assertThat(queues.events()).containsExactly(EVENT);
    }

    @Test
    void waitsForASolicitedMessageWhenAskedTo() {
        Side receiver = queues.receiver();
        receiver.cqRecord().putInt(4, 1 << 24);
        queues.store(UarPage.CQ_DOORBELL, 1L << 56 | 0x500);
        receiver.receive();
        receiver.receive();
        sender.post(sender.control(Opcodes.SEND, 1, 0));
        assertThat(queues.events()).isEmpty();
        sender.post(sender.control(Opcodes.SEND, 1, SendElement.SOLICITED));
        assertThat(queues.events()).containsExactly("completion on 0x500");
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 24, 0})
    void tellsOfAnErrorInAnyCase(int word) {
        arm(word);
        queues.card().moveQp(sender.qp(), CardQp.ERR);
        writeNothing(0);
        assertThat(queues.events()).containsExactly(EVENT);
    }

    @Test
    void complainsAboutADoorbellThatDiffersFromTheRecord() {
        queues.store(UarPage.CQ_DOORBELL, 5L << 32 | CQN);
        queues.card().settle();
        assertThat(queues.card().complaints()).singleElement().asString().contains("armed with 0x5");
    }

    @Test
    void writesLargeEntriesAtTheirEnd() {
        java.nio.ByteBuffer ring = HandMadeQueues.memory(4 * 128);
        Mlx5Cq.Place place = new Mlx5Cq.Place(
                7, HandMadeQueues.pinned(ring), HandMadeQueues.pinned(HandMadeQueues.memory(64)), 128, queues.uar());
        CardCq cq = queues.card().createCq(place);
        assertThat(cq.put(CardCompletion.receiveFailed(sender.qp(), 3, Syndrome.WR_FLUSH_ERR)))
                .isTrue();
        assertThat(ring.getLong(0)).isZero();
        assertThat(ring.getShort(64 + 60)).isEqualTo((short) 3);
        assertThat(ring.get(127)).isEqualTo((byte) 0xe2);
    }
}
