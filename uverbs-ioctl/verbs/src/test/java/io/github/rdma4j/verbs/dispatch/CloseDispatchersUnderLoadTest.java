// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Rounds;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ModelKernel;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Dispatchers are closed while threads make queue pairs on them, post, and close the queue pairs, over and over. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CloseDispatchersUnderLoadTest {
    private final ModelKernel kernel = new ModelKernel(8, 7);
    private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    private final Rounds<World> rounds = new Rounds<>();

    /** Dispatchers, and the requests whose handlers were not called yet. */
    private final class World {
        private final DeviceContext context = kernel.open();
        private final ProtectionDomain pd = context.allocatePd();
        private final CompletionDispatchers dispatchers = CompletionDispatchers.open(
                2,
                8,
                DispatcherOptions.builder()
                        .uncaught((thread, thrown) -> uncaught.add(thrown))
                        .build());
        private final AtomicInteger inFlight = new AtomicInteger();
        private final AtomicInteger completed = new AtomicInteger();

        World() throws RdmaException {
            // for the initialisers
        }

        void usePair(QueuePairOptions options, SendWorkRequest request) throws RdmaException {
            AsyncQueuePair qp = dispatchers.create(context, options, pd::createQp);
            qp.queuePair().modify(QpAttr.builder().state(QpState.RTS).build());
            inFlight.incrementAndGet();
            boolean posted = false;
            try {
                posted = qp.trySend(request, completion -> {
                    inFlight.decrementAndGet();
                    completed.incrementAndGet();
                });
            } finally {
                if (!posted) {
                    inFlight.decrementAndGet();
                }
            }
            qp.queuePair().close();
        }
    }

    /** The threads close queue pairs faster than the dispatchers give their room back. */
    private static boolean isFull(IllegalStateException refusal) {
        return String.valueOf(refusal.getMessage()).startsWith("none of the 8 completion queues");
    }

    private Rounds.Use<World> making() {
        QueuePairOptions options =
                QueuePairOptions.builder().maxSendWr(1).maxReceiveWr(1).build();
        SendWorkRequest request = new SendWorkRequest(0).send();
        return world -> {
            try {
                world.usePair(options, request);
            } catch (IllegalStateException refusal) {
                if (!isFull(refusal)) {
                    throw refusal;
                }
                Rounds.nap();
            }
        };
    }

    @Test
    void callsEveryHandlerOnce() throws Exception {
        rounds.thread(this::making);
        rounds.thread(this::making);
        rounds.thread(this::making);
        for (int round = 0; round < Rounds.COUNT / 10; round++) {
            World world = new World();
            rounds.use(world, () -> world.completed.get() >= 4);
            if (round % 2 == 0) {
                world.dispatchers.close();
            } else {
                world.context.close();
            }
            rounds.leave();
            world.dispatchers.close();
            rounds.await(() -> world.inFlight.get() == 0);
            world.context.close();
            rounds.await(() -> kernel.openFiles() == 0);
            kernel.assertClean();
            assertThat(uncaught).isEmpty();
        }
        rounds.end();
    }
}
