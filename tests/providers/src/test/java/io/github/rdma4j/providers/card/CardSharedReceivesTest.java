// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.providers.card.HandMadeQueues.Completion;
import io.github.rdma4j.providers.card.HandMadeQueues.Side;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A shared receive queue with the bytes that libmlx5 left in it, and a queue pair on it. */
class CardSharedReceivesTest {
    private static final int ENTRY = 64;
    private static final int ENTRIES = 8;

    private final HandMadeQueues queues = new HandMadeQueues();
    private final Side sender = queues.sender();
    private final ByteBuffer ring = HandMadeQueues.memory(ENTRIES * ENTRY);
    private final ByteBuffer record = HandMadeQueues.memory(ENTRY);
    private final CardSrq srq = queues.card()
            .createSrq(new Mlx5Srq.Place(
                    0x40, HandMadeQueues.PD, HandMadeQueues.pinned(ring), HandMadeQueues.pinned(record), ENTRY));
    private CardQp onShared;

    /** Two receives, of 10 bytes and of 10 and 100; the rest of the list is free. */
    @BeforeEach
    void post() {
        for (int i = 0; i < ENTRIES; i++) {
            ring.putShort(i * ENTRY + 2, (short) (i + 1));
        }
        put(0, "00000001000000000000000000000000 0000000a0000045a000055555555c000 00000000000001000000000000000000");
        put(
                1,
                "00000002000000000000000000000000 0000000a0000045a000055555555c000"
                        + "000000640000045a000055555555c010 00000000000001000000000000000000");
        record.putInt(0, 2);
        Side receiver = queues.receiver();
        onShared = queues.card().createQp(onShared(receiver.qp().spec(), 0x100));
        onShared.attributes(HandMadeQueues.attributes(0x100, 0, 7, 1));
        queues.card().moveQp(onShared, CardQp.RTS);
    }

    /** The queue pair, with the user index in completions, and without receives of its own. */
    private QpSpec onShared(QpSpec own, int userIndex) {
        Mlx5Rings rings = (Mlx5Rings) own.rings();
        Mlx5Rings shared =
                new Mlx5Rings(userIndex, rings.ring(), rings.record(), rings.sendBlocks(), 0, 0, rings.doorbell());
        return new QpSpec(own.qpn(), own.type(), own.pd(), own.sendCq(), own.receiveCq(), srq, shared);
    }

    private void put(int entry, String words) {
        ring.put(entry * ENTRY, HexFormat.of().parseHex(words.replace(" ", "")));
    }

    private void sendInline() {
        sender.post(sender.control(Opcodes.SEND, 2, SendElement.SIGNALED), "8000000a 00010203 04050607 08090000");
    }

    @Test
    void followsTheList() {
        sendInline();
        Completion first = queues.receiver().poll();
        assertThat(first.counter()).isZero();
        assertThat(queues.local().getLong(0)).isEqualTo(0x0001020304050607L);
        ring.putShort(ENTRY + 2, (short) 5);
        put(5, "00000006000000000000000000000000 0000000a0000045a000055555555c400 00000000000001000000000000000000");
        record.putInt(0, 3);
        sendInline();
        sendInline();
        assertThat(queues.receiver().poll().counter()).isEqualTo(1);
        assertThat(queues.receiver().poll().counter()).isEqualTo(5);
        assertThat(queues.local().getLong(0x400)).isEqualTo(0x0001020304050607L);
        assertThat(queues.card().complaints()).isEmpty();
    }

    @Test
    void waitsForAReceive() {
        sendInline();
        sendInline();
        sendInline();
        assertThat(sender.cq().written()).isEqualTo(2);
    }

    @Test
    void complainsAboutMoreReceivesThanEntries() {
        record.putInt(0, ENTRIES);
        sendInline();
        assertThat(queues.card().complaints()).isNotEmpty();
    }

    @Test
    void complainsAboutAnEntryThatIsNotThere() {
        ring.putShort(2, (short) ENTRIES);
        sendInline();
        sendInline();
        assertThat(queues.card().complaints()).isNotEmpty();
    }

    @Test
    void tellsOnceWhenTheLimitIsReached() {
        queues.card().limitSrq(srq, 2);
        assertThat(queues.events()).isEmpty();
        sendInline();
        sendInline();
        assertThat(queues.events()).containsExactly("event 15 of SRQ 0x40");
        assertThat(srq.limit()).isZero();
    }

    @Test
    void leavesTheReceivesWhenAQueuePairFails() {
        queues.card().moveQp(onShared, CardQp.ERR);
        queues.card().settle();
        assertThat(queues.events()).containsExactly("event 16 of QP 0x200");
        assertThat(queues.receiver().hasCompletion()).isFalse();
        assertThat(srq.isEmpty()).isFalse();
    }

    @Test
    void namesTheSharedQueueInCompletionsOfVersionZero() {
        QpSpec old = onShared(onShared.spec(), -1);
        assertThat(old.completionIndex()).isEqualTo(0x40);
    }
}
