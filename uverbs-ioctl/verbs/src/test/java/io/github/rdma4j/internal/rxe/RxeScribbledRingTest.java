// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.Scribbled;
import io.github.rdma4j.internal.provider.StubDevice;
import io.github.rdma4j.internal.rxe.RxeAbi.DmaInfo;
import io.github.rdma4j.internal.rxe.RxeAbi.QueueBuf;
import io.github.rdma4j.internal.rxe.RxeAbi.SendWqe;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout;
import io.github.rdma4j.support.Cases;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.Views;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Rings of soft-RoCE in which every byte may be anything, the indexes among them: polls and posts are bounded, stay in their
 * slots, and throw nothing.
 */
@SuppressWarnings("NullAway.Init") // each case makes its rings first
class RxeScribbledRingTest {
    private static final int SLOTS = 8;
    private static final int SHIFT = 8;
    private static final int SLOT = 1 << SHIFT;
    private static final int LENGTH = 4096;
    private static final int ROUNDS = 8;

    private static final int INLINE = SLOT - SendWqe.DMA - DmaInfo.INLINE_DATA;

    private ByteBuffer memory;

    private RxeQueue queue() throws Exception {
        RingMemory mapping = new StubDevice().map(0, LENGTH, "ring");
        memory = mapping.buffer();
        memory.putInt(QueueBuf.LOG2_ELEM_SIZE, SHIFT).putInt(QueueBuf.INDEX_MASK, SLOTS - 1);
        return RxeQueue.over(mapping, "ring");
    }

    private long wrId(int index) {
        return memory.getLong(QueueBuf.DATA + (index & (SLOTS - 1)) * SLOT + WorkCompletionLayout.WR_ID);
    }

    @ParameterizedTest
    @Seeds
    void pollsReadOnlyTheSlotsBetweenTheIndexes(long seed) {
        Cases.run(seed, 500, random -> {
            RxeCompletionRing ring = new RxeCompletionRing(queue(), SLOTS, new RxeRingTest.NoDriver());
            int head = 0;
            for (int round = 0; round < ROUNDS; round++) {
                Scribbled scribbled = Scribbled.over(memory, random);
                int shown = (memory.getInt(QueueBuf.PRODUCER_INDEX) - head) & (SLOTS - 1);
                WorkCompletion[] into = WorkCompletion.array(1 + random.nextInt(2 * SLOTS));
                int polled = ring.poll(into, Views.SINK);
                assertThat(polled).isEqualTo(Math.min(shown, into.length));
                for (int i = 0; i < polled; i++) {
                    assertThat(into[i].wrId()).isEqualTo(wrId(head + i));
                    assertThat(into[i].status()).isNotNull();
                    assertThat(into[i].opcode()).isNotNull();
                    assertThat(into[i].toString()).isNotEmpty();
                }
                head = (head + polled) & (SLOTS - 1);
                assertThat(scribbled.changedBeside(0, 0, QueueBuf.CONSUMER_INDEX))
                        .isEmpty();
                assertThat(polled == 0 || memory.getInt(QueueBuf.CONSUMER_INDEX) == head)
                        .isTrue();
            }
        });
    }

    @ParameterizedTest
    @Seeds
    void aSendIsWrittenToItsSlot(long seed) {
        Cases.run(seed, 500, random -> {
            int[] rung = {0};
            RxeSendRing ring = new RxeSendRing(queue(), new QpCap(SLOTS, 0, 1, 0, INLINE), false, () -> rung[0]++);
            for (int tail = 0; tail < 3 * SLOTS; tail++) {
                Scribbled scribbled = Scribbled.over(memory, random);
                int next = (tail + 1) & (SLOTS - 1);
                boolean full = (memory.getInt(QueueBuf.CONSUMER_INDEX) & (SLOTS - 1)) == next;
                assertThat(ring.isFull()).isEqualTo(full);
                ring.put(Views.of(new SendWorkRequest(1).wrId(tail).send().inline(ByteBuffer.allocate(INLINE))));
                ring.publish();
                int slot = QueueBuf.DATA + (tail & (SLOTS - 1)) * SLOT;
                assertThat(scribbled.changedBeside(slot, SLOT, QueueBuf.PRODUCER_INDEX))
                        .isEmpty();
                assertThat(memory.getInt(QueueBuf.PRODUCER_INDEX)).isEqualTo(next);
            }
            assertThat(rung[0]).isEqualTo(3 * SLOTS);
        });
    }

    @ParameterizedTest
    @Seeds
    void aReceiveIsWrittenToItsSlot(long seed) {
        Cases.run(seed, 500, random -> {
            RxeReceiveRing ring = new RxeReceiveRing(queue(), 1);
            for (int tail = 0; tail < 3 * SLOTS; tail++) {
                Scribbled scribbled = Scribbled.over(memory, random);
                int next = (tail + 1) & (SLOTS - 1);
                boolean full = (memory.getInt(QueueBuf.CONSUMER_INDEX) & (SLOTS - 1)) == next;
                assertThat(ring.isFull()).isEqualTo(full);
                ring.put(Views.of(new ReceiveWorkRequest(1).wrId(tail)));
                int slot = QueueBuf.DATA + (tail & (SLOTS - 1)) * SLOT;
                assertThat(scribbled.changedBeside(slot, SLOT, QueueBuf.PRODUCER_INDEX))
                        .isEmpty();
                assertThat(memory.getInt(QueueBuf.PRODUCER_INDEX)).isEqualTo(next);
            }
        });
    }
}
