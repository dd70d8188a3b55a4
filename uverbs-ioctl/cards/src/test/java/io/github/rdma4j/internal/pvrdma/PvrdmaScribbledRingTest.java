// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import static io.github.rdma4j.internal.pvrdma.PvrdmaTestRings.HANDLE;
import static io.github.rdma4j.internal.pvrdma.PvrdmaTestRings.PAGE;
import static io.github.rdma4j.internal.pvrdma.PvrdmaTestRings.QPN;
import static io.github.rdma4j.internal.pvrdma.PvrdmaTestRings.RECEIVE_SLOT;
import static io.github.rdma4j.internal.pvrdma.PvrdmaTestRings.SEND_SLOT;
import static io.github.rdma4j.internal.pvrdma.PvrdmaTestRings.SLOTS;
import static io.github.rdma4j.internal.pvrdma.PvrdmaTestRings.TABLE;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.Scribbled;
import io.github.rdma4j.internal.pvrdma.Wqe.Cqe;
import io.github.rdma4j.support.Cases;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.Views;
import io.github.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Rings of vmw_pvrdma in which every byte may be anything, the indexes among them: polls and posts are bounded, stay in their
 * slots, throw nothing, and complete nothing of a queue pair that does not exist.
 */
@SuppressWarnings("NullAway.Init") // each case makes its rings first
class PvrdmaScribbledRingTest {
    private static final int ROUNDS = 8;

    private CompletionRing completions;
    private ByteBuffer completed;
    private QueueRings queues;
    private ByteBuffer sends;
    private ByteBuffer receives;

    private void create() throws Exception {
        PvrdmaTestRings rings = new PvrdmaTestRings();
        completions = rings.completions();
        completed = rings.completionMemory();
        queues = rings.queues();
        sends = rings.sends();
        receives = rings.receives();
    }

    @ParameterizedTest
    @Seeds
    void pollsCompleteOnlyWhatIsOfAQueuePair(long seed) {
        Cases.run(seed, 500, random -> {
            create();
            int head = 0;
            long ignored = 0;
            for (int round = 0; round < ROUNDS; round++) {
                Scribbled.over(completed, random);
                for (int slot = 0; slot < SLOTS; slot++) {
                    completed.putLong(
                            PAGE + slot * Cqe.BYTES + Cqe.QP,
                            random.nextBoolean() ? HANDLE : random.nextInt(2 * TABLE));
                }
                Scribbled scribbled = Scribbled.asItIs(completed);
                int shown = (completed.getInt(8) - head) & (2 * SLOTS - 1);
                WorkCompletion[] into = WorkCompletion.array(4 * SLOTS);
                int polled = completions.poll(into, Views.SINK);
                assertThat(polled + completions.ignored() - ignored).isEqualTo(shown);
                for (int i = 0; i < polled; i++) {
                    assertThat(into[i].qpNumber()).isEqualTo(QPN);
                    assertThat(into[i].toString()).isNotEmpty();
                }
                ignored = completions.ignored();
                head = (head + shown) & (2 * SLOTS - 1);
                assertThat(scribbled.changedBeside(0, 0, 12)).isEmpty();
                assertThat(completed.getInt(12)).isEqualTo(head);
            }
        });
    }

    @ParameterizedTest
    @Seeds
    void forgettingAQueuePairEnds(long seed) {
        Cases.run(seed, 500, random -> {
            create();
            Scribbled.over(completed, random);
            for (int slot = 0; slot < SLOTS; slot++) {
                completed.putLong(PAGE + slot * Cqe.BYTES + Cqe.QP, HANDLE);
            }
            completions.forget(queues);
            assertThat(completions.poll(WorkCompletion.array(4 * SLOTS), Views.SINK))
                    .isZero();
        });
    }

    @ParameterizedTest
    @Seeds
    void requestsAreWrittenToTheirSlots(long seed) {
        Cases.run(seed, 500, random -> {
            create();
            for (int i = 0; i < 3 * SLOTS; i++) {
                Scribbled indexes = Scribbled.over(sends, random);
                queues.send().isFull();
                queues.send().put(Views.of(new SendWorkRequest(1).wrId(i).send()));
                queues.send().publish();
                assertThat(indexes.changedBeside(PAGE + i % SLOTS * SEND_SLOT, SEND_SLOT, 0))
                        .isEmpty();
                Scribbled data = Scribbled.over(receives, random);
                indexes = Scribbled.over(sends, random);
                requireNonNull(queues.receive()).isFull();
                requireNonNull(queues.receive()).put(Views.of(new ReceiveWorkRequest(1).wrId(i)));
                assertThat(data.changedBeside(i % SLOTS * RECEIVE_SLOT, RECEIVE_SLOT, -Integer.BYTES))
                        .isEmpty();
                assertThat(indexes.changedBeside(0, 0, 8)).isEmpty();
            }
        });
    }
}
