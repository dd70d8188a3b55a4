// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Background;
import io.github.rdma4j.support.NewSeed;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads that make objects on parents which others close: every handle goes to the kernel while it names the object it is
 * meant for, nothing is destroyed while it is used, and nothing is left.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VerbsLifeStressTest {
    private static final int ROUNDS = 30;
    private static final int STEPS = 400;
    private static final int THREADS = 4;
    private static final int SHARED = 3;

    private final ModelKernel kernel = new ModelKernel();

    /** What the threads share: each of them replaces, uses and closes what any other has put there. */
    private final class World {
        private final DeviceContext context;
        private final AtomicReferenceArray<ProtectionDomain> domains = new AtomicReferenceArray<>(SHARED);
        private final AtomicReferenceArray<CompletionQueue> queues = new AtomicReferenceArray<>(SHARED);

        World() throws RdmaException {
            context = kernel.open();
            for (int i = 0; i < SHARED; i++) {
                domains.set(i, context.allocatePd());
                queues.set(i, context.createCq(2));
            }
        }

        Callable<Integer> worker(long seed) {
            return () -> {
                Random random = new Random(seed);
                int refused = 0;
                for (int i = 0; i < STEPS; i++) {
                    try {
                        step(random);
                    } catch (IllegalStateException closed) {
                        assertThat(closed).hasMessageContaining("is closed");
                        refused++;
                    }
                }
                return refused;
            };
        }

        private void step(Random random) throws RdmaException {
            int at = random.nextInt(SHARED);
            ProtectionDomain pd = domains.get(at);
            CompletionQueue cq = queues.get(random.nextInt(SHARED));
            switch (random.nextInt(8)) {
                case 0 -> domains.getAndSet(at, context.allocatePd()).close();
                case 1 -> queues.getAndSet(at, context.createCq(2)).close();
                case 2 -> pd.registerMr(ByteBuffer.allocateDirect(8), EnumSet.noneOf(Access.class));
                case 3 -> pd.createAh(AhAttr.NONE).close();
                case 4 -> pd.createSrq(SharedReceiveQueueOptions.DEFAULT);
                case 5 -> domains.getAndSet(at, context.allocatePd()).closeWhenUnused();
                case 6 -> pd.createQp(QueuePairOptions.builder().cq(cq).build()).close();
                default -> pd.createQp(QueuePairOptions.builder().cq(cq).build());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void survivesCreationAgainstClosing(boolean contextClosesMeanwhile) throws Exception {
        long seed = NewSeed.of("VerbsLifeStressTest");
        for (int round = 0; round < ROUNDS; round++) {
            World world = new World();
            List<Future<Integer>> workers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                workers.add(Background.start(world.worker(seed + (long) round * THREADS + i)));
            }
            if (contextClosesMeanwhile) {
                world.context.close();
            }
            for (Future<Integer> worker : workers) {
                assertThat(worker.get()).as("seed %d", seed).isNotNegative();
            }
            world.context.close();
            kernel.assertClean();
        }
    }
}
