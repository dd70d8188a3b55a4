// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Rounds;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ModelKernel;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueueFullException;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A dispatcher, or what lies under it, is closed while other threads post through it and wait for room, over and over. Each
 * request that was posted has its handler called once or its future completed; nothing is left in the kernel.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CloseDispatcherUnderLoadTest {
    private final ModelKernel kernel = new ModelKernel();
    private final AtomicLong numbers = new AtomicLong();
    private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    private final Rounds<World> rounds = new Rounds<>();

    /** What is closed in a round. */
    private enum Kind {
        DISPATCHER,
        DISPATCHER_IN_A_HANDLER,
        QUEUE_PAIR,
        SHARED_RECEIVE_QUEUE,
        COMPLETION_QUEUE,
        PROTECTION_DOMAIN,
        CONTEXT
    }

    /** A queue pair and a shared receive queue with their dispatcher, and the requests whose handlers were not called yet. */
    private final class World {
        private final DeviceContext context = kernel.open();
        private final ProtectionDomain pd = context.allocatePd();
        private final CompletionDispatcher dispatcher = CompletionDispatcher.open(
                context,
                DispatcherOptions.builder()
                        .completions(3)
                        .uncaught((thread, thrown) -> uncaught.add(thrown))
                        .build());
        private final ByteBuffer completions = kernel.queues().takeFresh().get(0);
        private final SharedReceiveQueue srq = pd.createSrq(SharedReceiveQueueOptions.DEFAULT);
        private final QueuePair made = pd.createQp(QueuePairOptions.builder()
                .cq(dispatcher.completionQueue())
                .srq(srq)
                .build());
        private final AsyncQueuePair qp = dispatcher.attach(made);
        private final List<ByteBuffer> requests = kernel.queues().takeFresh();
        private final Set<Long> inFlight = ConcurrentHashMap.newKeySet();
        private final AtomicLong completed = new AtomicLong();
        private volatile boolean closing;

        World() throws RdmaException {
            made.modify(QpAttr.builder().state(QpState.RTS).build());
        }

        void close(Kind kind) throws Exception {
            switch (kind) {
                case DISPATCHER -> dispatcher.close();
                case DISPATCHER_IN_A_HANDLER -> {
                    closing = true;
                    rounds.await(dispatcher::isClosed);
                }
                case QUEUE_PAIR -> made.close();
                case SHARED_RECEIVE_QUEUE -> srq.close();
                case COMPLETION_QUEUE -> dispatcher.completionQueue().close();
                case PROTECTION_DOMAIN -> pd.close();
                case CONTEXT -> context.close();
            }
        }

        private interface Post {
            boolean with(Runnable done) throws Exception;
        }

        void post(Post post) throws Exception {
            long number = numbers.incrementAndGet();
            inFlight.add(number);
            boolean posted = false;
            try {
                posted = post.with(() -> done(number));
            } finally {
                if (!posted) {
                    inFlight.remove(number);
                }
            }
        }

        private void done(long number) {
            if (!inFlight.remove(number)) {
                throw new AssertionError("the handler of a request that was not posted, or its second call");
            }
            completed.incrementAndGet();
            if (closing) {
                dispatcher.close();
            }
        }
    }

    private Rounds.Use<World> trying() {
        SendWorkRequest request = new SendWorkRequest(0);
        return world -> {
            world.post(done -> world.qp.trySend(request.clear().send(), completion -> done.run()));
            Rounds.nap();
        };
    }

    private Rounds.Use<World> waitingForRoom() {
        SendWorkRequest request = new SendWorkRequest(0);
        return world ->
                world.post(done -> world.qp.send(request.clear().send(), completion -> done.run(), Rounds.LIMIT));
    }

    private Rounds.Use<World> withFutures() {
        SendWorkRequest request = new SendWorkRequest(0);
        return world -> {
            world.post(done -> {
                try {
                    CompletableFuture<WorkCompletion> unused =
                            world.qp.send(request.clear().send()).whenComplete((completion, failure) -> done.run());
                    return true;
                } catch (QueueFullException full) {
                    return false;
                }
            });
            Rounds.nap();
        };
    }

    /** The device: completes what was posted, in the order of each queue, and nothing of a queue that is gone. */
    private void complete(World world) {
        Rounds.nap();
        for (ByteBuffer ring : world.requests) {
            kernel.completeOldest(world.dispatcher.completionQueue(), world.completions, ring);
        }
    }

    @Test
    void callsEveryHandlerOnce() throws Exception {
        rounds.thread(this::trying);
        rounds.thread(this::waitingForRoom);
        rounds.thread(this::withFutures);
        rounds.thread(() -> this::complete);
        Kind[] kinds = Kind.values();
        long completed = 0;
        for (int round = 0; round < Rounds.COUNT; round++) {
            World world = new World();
            rounds.use(world, () -> world.completed.get() >= 4);
            Kind kind = kinds[round % kinds.length];
            world.close(kind);
            rounds.leave();
            world.dispatcher.close();
            assertThat(world.dispatcher.isClosed()).isTrue();
            rounds.await(world.inFlight::isEmpty);
            world.context.close();
            rounds.await(() -> kernel.openFiles() == 0);
            kernel.assertClean();
            assertThat(uncaught).as("%s was closed", kind).isEmpty();
            completed += world.completed.get();
        }
        assertThat(rounds.end()).isNotNegative();
        assertThat(completed).isGreaterThan(3L * Rounds.COUNT);
    }
}
