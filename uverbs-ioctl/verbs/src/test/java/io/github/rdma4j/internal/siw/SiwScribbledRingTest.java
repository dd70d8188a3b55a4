// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.Scribbled;
import io.github.rdma4j.internal.provider.StubDevice;
import io.github.rdma4j.internal.siw.SiwAbi.CompletionElement;
import io.github.rdma4j.internal.siw.SiwAbi.CqControl;
import io.github.rdma4j.internal.siw.SiwAbi.ReceiveElement;
import io.github.rdma4j.internal.siw.SiwAbi.SendElement;
import io.github.rdma4j.internal.siw.SiwAbi.SiwConstants;
import io.github.rdma4j.support.Cases;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.Views;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Rings of soft-iWARP in which every byte may be anything, the flags among them: polls and posts are bounded, stay in their
 * elements, and throw nothing.
 */
@SuppressWarnings("NullAway.Init") // each case makes its rings first
class SiwScribbledRingTest {
    private static final int COUNT = 8;
    private static final int QPN = 17;
    private static final int FLAGS = 8;
    private static final int ROUNDS = 8;
    private static final int NOWHERE = -Integer.BYTES;

    private final StubDevice device = new StubDevice();
    private SiwCompletionRing completions;
    private ByteBuffer completed;

    private void makeCompletionQueue() throws Exception {
        completions = new SiwCompletionRing(SiwRing.map(device, 0, COUNT, CompletionElement.BYTES, CqControl.BYTES));
        completed = device.last();
    }

    private SiwSendRing sends() throws Exception {
        QpCap cap = new QpCap(COUNT, 0, 6, 0, 80);
        QueuePairRequest request = new QueuePairRequest(QueuePairType.RC, cap, false, completions, completions, null);
        SiwRing ring = SiwRing.map(device, 0, COUNT, SendElement.BYTES, 0);
        return new SiwSendRing(ring, new Created.Qp(1, QPN, cap, ByteBuffer.allocate(0)), request, () -> 0);
    }

    @ParameterizedTest
    @Seeds
    void pollsTakeOnlyWhatIsMarkedAndOnce(long seed) {
        Cases.run(seed, 500, random -> {
            makeCompletionQueue();
            int head = 0;
            for (int round = 0; round < ROUNDS; round++) {
                Scribbled.over(completed, random);
                WorkCompletion[] into = WorkCompletion.array(1 + random.nextInt(2 * COUNT));
                int marked = 0;
                long[] expected = new long[into.length];
                while (marked < Math.min(COUNT, into.length) && isMarked(head + marked)) {
                    expected[marked] = completed.getLong((head + marked) % COUNT * CompletionElement.BYTES);
                    marked++;
                }
                assertThat(completions.poll(into, Views.SINK)).isEqualTo(marked);
                for (int i = 0; i < marked; i++) {
                    assertThat(into[i].wrId()).isEqualTo(expected[i]);
                    assertThat(into[i].toString()).isNotEmpty();
                    assertThat(isMarked(head + i)).isFalse();
                }
                head = (head + marked) % COUNT;
            }
        });
    }

    private boolean isMarked(int index) {
        return (completed.get(index % COUNT * CompletionElement.BYTES + CompletionElement.FLAGS)
                        & SiwConstants.SIW_WQE_VALID)
                != 0;
    }

    @ParameterizedTest
    @Seeds
    void aSendIsWrittenToItsElement(long seed) {
        Cases.run(seed, 500, random -> {
            makeCompletionQueue();
            SiwSendRing ring = sends();
            ByteBuffer memory = device.last();
            for (int i = 0; i < 3 * COUNT; i++) {
                Scribbled scribbled = Scribbled.over(memory, random);
                int element = i % COUNT * SendElement.BYTES;
                boolean taken = (memory.getShort(element + FLAGS) & SiwConstants.SIW_WQE_VALID) != 0;
                assertThat(ring.isFull()).isEqualTo(taken);
                ring.put(Views.of(new SendWorkRequest(0).wrId(i).inline(ByteBuffer.allocate(80))));
                ring.publish();
                assertThat(scribbled.changedBeside(element, SendElement.BYTES, NOWHERE))
                        .isEmpty();
            }
        });
    }

    @ParameterizedTest
    @Seeds
    void aReceiveIsWrittenToItsElement(long seed) {
        Cases.run(seed, 500, random -> {
            SiwReceiveRing ring = new SiwReceiveRing(SiwRing.map(device, 0, COUNT, ReceiveElement.BYTES, 0), 6);
            ByteBuffer memory = device.last();
            for (int i = 0; i < 3 * COUNT; i++) {
                Scribbled scribbled = Scribbled.over(memory, random);
                int element = i % COUNT * ReceiveElement.BYTES;
                boolean taken = (memory.getShort(element + FLAGS) & SiwConstants.SIW_WQE_VALID) != 0;
                assertThat(ring.isFull()).isEqualTo(taken);
                ring.put(Views.of(new ReceiveWorkRequest(0).wrId(i)));
                assertThat(scribbled.changedBeside(element, ReceiveElement.BYTES, NOWHERE))
                        .isEmpty();
            }
        });
    }

    /** The library flushes such a queue itself, from what it finds in the elements. */
    @ParameterizedTest
    @Seeds
    void aFailedQueueFlushesNoMoreThanItHolds(long seed) {
        Cases.run(seed, 500, random -> {
            makeCompletionQueue();
            SiwSendRing ring = sends();
            Scribbled.over(device.last(), random);
            ring.fail();
            WorkCompletion[] into = WorkCompletion.array(5 * COUNT);
            int polled = completions.poll(into, Views.SINK);
            assertThat(polled).isLessThanOrEqualTo(COUNT);
            for (int i = 0; i < polled; i++) {
                assertThat(into[i].statusName()).isEqualTo("WR_FLUSH_ERR");
            }
            assertThat(completions.poll(into, Views.SINK)).isLessThanOrEqualTo(COUNT - polled);
        });
    }
}
