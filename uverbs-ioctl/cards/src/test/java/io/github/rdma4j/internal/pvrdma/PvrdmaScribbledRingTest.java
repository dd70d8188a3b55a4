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

import io.github.rdma4j.internal.provider.Scribbled;
import io.github.rdma4j.internal.pvrdma.Wqe.Cqe;
import io.github.rdma4j.support.Cases;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.Views;
import io.github.rdma4j.verbs.WorkCompletion;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Rings of vmw_pvrdma in which every byte may be anything, the indexes among them: polls and posts are bounded, stay in their
 * slots, throw nothing, and complete nothing of a queue pair that does not exist.
 */
class PvrdmaScribbledRingTest {
    private static final int ROUNDS = 8;

    @ParameterizedTest
    @Seeds
    void pollsCompleteOnlyWhatIsOfAQueuePair(long seed) {
        Cases.run(seed, 500, random -> {
            PvrdmaTestRings rings = new PvrdmaTestRings();
            int head = 0;
            long ignored = 0;
            for (int round = 0; round < ROUNDS; round++) {
                Scribbled.over(rings.completionMemory, random);
                for (int slot = 0; slot < SLOTS; slot++) {
                    // of the queue pair, of none, or as it was scribbled: far beyond the table, or negative
                    switch (random.nextInt(4)) {
                        case 0 -> rings.completionMemory.putLong(handleAt(slot), random.nextInt(2 * TABLE));
                        case 1 -> {}
                        default -> rings.completionMemory.putLong(handleAt(slot), HANDLE);
                    }
                }
                Scribbled scribbled = Scribbled.asItIs(rings.completionMemory);
                int shown = (rings.completionMemory.getInt(8) - head) & (2 * SLOTS - 1);
                WorkCompletion[] into = WorkCompletion.array(4 * SLOTS);
                int polled = rings.completions.poll(into, Views.SINK);
                assertThat(polled + rings.completions.ignored() - ignored).isEqualTo(shown);
                for (int i = 0; i < polled; i++) {
                    assertThat(into[i].qpNumber()).isEqualTo(QPN);
                    assertThat(into[i].toString()).isNotEmpty();
                }
                ignored = rings.completions.ignored();
                head = (head + shown) & (2 * SLOTS - 1);
                assertThat(scribbled.changedBeside(0, 0, 12)).isEmpty();
                assertThat(rings.completionMemory.getInt(12)).isEqualTo(head);
            }
        });
    }

    private static int handleAt(int slot) {
        return PAGE + slot * Cqe.BYTES + Cqe.QP;
    }

    @ParameterizedTest
    @Seeds
    void forgettingAQueuePairEnds(long seed) {
        Cases.run(seed, 500, random -> {
            PvrdmaTestRings rings = new PvrdmaTestRings();
            Scribbled.over(rings.completionMemory, random);
            for (int slot = 0; slot < SLOTS; slot++) {
                rings.completionMemory.putLong(handleAt(slot), HANDLE);
            }
            rings.completions.forget(rings.queues);
            assertThat(rings.completions.poll(WorkCompletion.array(4 * SLOTS), Views.SINK))
                    .isZero();
        });
    }

    @ParameterizedTest
    @Seeds
    void requestsAreWrittenToTheirSlots(long seed) {
        Cases.run(seed, 500, random -> {
            PvrdmaTestRings rings = new PvrdmaTestRings();
            for (int i = 0; i < 3 * SLOTS; i++) {
                Scribbled indexes = Scribbled.over(rings.sends, random);
                rings.queues.send().isFull();
                rings.queues.send().put(Views.of(new SendWorkRequest(1).wrId(i).send()));
                rings.queues.send().publish();
                assertThat(indexes.changedBeside(PAGE + i % SLOTS * SEND_SLOT, SEND_SLOT, 0))
                        .isEmpty();
                Scribbled data = Scribbled.over(rings.receives, random);
                indexes = Scribbled.over(rings.sends, random);
                requireNonNull(rings.queues.receive()).isFull();
                requireNonNull(rings.queues.receive()).put(Views.of(new ReceiveWorkRequest(1).wrId(i)));
                assertThat(data.changedBeside(i % SLOTS * RECEIVE_SLOT, RECEIVE_SLOT, -Integer.BYTES))
                        .isEmpty();
                assertThat(indexes.changedBeside(0, 0, 8)).isEmpty();
            }
        });
    }
}
