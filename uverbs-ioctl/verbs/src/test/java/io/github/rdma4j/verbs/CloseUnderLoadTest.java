// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Rounds;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every kind of object is closed while other threads post to it, poll it and sleep on it, over and over. Nobody gets a completion
 * of a request that was not posted, or gets it twice; who comes too late is told that the object is closed; nothing is left in the
 * kernel.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CloseUnderLoadTest {
    private final ModelKernel kernel = new ModelKernel();
    private final AtomicLong wrIds = new AtomicLong();
    private final Rounds<World> rounds = new Rounds<>();

    /** What is closed in a round. */
    private enum Kind {
        QUEUE_PAIR,
        QUEUE_PAIR_ON_SRQ,
        DATAGRAM_QUEUE_PAIR,
        COMPLETION_QUEUE,
        SHARED_RECEIVE_QUEUE,
        MEMORY_REGION,
        MEMORY_WINDOW,
        ADDRESS_HANDLE,
        PROTECTION_DOMAIN,
        COMPLETION_CHANNEL,
        CONTEXT
    }

    /** An object of every kind, and the work requests that are in flight. */
    private final class World {
        private final DeviceContext context = kernel.open();
        private final ProtectionDomain pd = context.allocatePd();
        private final CompletionChannel channel = context.createCompletionChannel();
        private final CompletionQueue cq = context.createCq(3, 0, channel);
        private final ByteBuffer completions = kernel.queues().takeFresh().get(0);
        private final SharedReceiveQueue srq = pd.createSrq(SharedReceiveQueueOptions.DEFAULT);
        private final MemoryRegion mr = pd.registerMr(ByteBuffer.allocateDirect(8), EnumSet.of(Access.LOCAL_WRITE));
        private final MemoryWindow mw = pd.allocateMw(MemoryWindow.Type.TYPE_2);
        private final AddressHandle ah = pd.createAh(AhAttr.NONE);
        private final QueuePair qp = ready(pd.createQp(options().build()));
        private final QueuePair sharing = ready(pd.createQp(options().srq(srq).build()));
        private final QueuePair datagrams =
                ready(pd.createQp(options().type(QueuePairType.UD).build()));
        private final SendWorkRequest datagram = new SendWorkRequest(0).send().signaled();
        private final List<ByteBuffer> requests = kernel.queues().takeFresh();
        private final Set<Long> inFlight = ConcurrentHashMap.newKeySet();
        private final AtomicLong completed = new AtomicLong();

        World() throws RdmaException {}

        private QueuePairOptions.Builder options() {
            return QueuePairOptions.builder().cq(cq);
        }

        private QueuePair ready(QueuePair made) throws RdmaException {
            made.modify(QpAttr.builder().state(QpState.RTS).build());
            return made;
        }

        VerbsObject object(Kind kind) {
            return switch (kind) {
                case QUEUE_PAIR -> qp;
                case QUEUE_PAIR_ON_SRQ -> sharing;
                case DATAGRAM_QUEUE_PAIR -> datagrams;
                case COMPLETION_QUEUE -> cq;
                case SHARED_RECEIVE_QUEUE -> srq;
                case MEMORY_REGION -> mr;
                case MEMORY_WINDOW -> mw;
                case ADDRESS_HANDLE -> ah;
                case PROTECTION_DOMAIN -> pd;
                case COMPLETION_CHANNEL -> channel;
                case CONTEXT -> context;
            };
        }

        /** Posts to each queue, if there is room. */
        void post(SendWorkRequest send, ReceiveWorkRequest receive) throws RdmaException {
            attempt(id -> qp.tryPostSend(send.clear().wrId(id).send().add(mr, 0, 8)));
            attempt(id -> sharing.tryPostSend(
                    send.clear().wrId(id).localInvalidate(mw).signaled()));
            attempt(id -> qp.tryPostReceive(receive.clear().wrId(id).add(mr, 0, 8)));
            attempt(id -> srq.tryPostReceive(receive.clear().wrId(id).add(mr, 0, 8)));
            attempt(id -> datagrams.tryPostSend(datagram.wrId(id).to(ah, 1, 1)));
        }

        private void attempt(Post post) throws RdmaException {
            long id = wrIds.incrementAndGet();
            inFlight.add(id);
            boolean posted = false;
            try {
                posted = post.with(id);
            } catch (IllegalStateException closed) {
                assertThat(closed).hasMessageContaining("is closed");
            } finally {
                if (!posted) {
                    inFlight.remove(id);
                }
            }
        }

        void taken(WorkCompletion[] batch, int polled) {
            for (int i = 0; i < polled; i++) {
                if (!inFlight.remove(batch[i].wrId())) {
                    throw new AssertionError("nobody waits for " + batch[i]);
                }
            }
            completed.addAndGet(polled);
        }
    }

    private interface Post {
        boolean with(long wrId) throws RdmaException;
    }

    private Rounds.Use<World> polling() {
        WorkCompletion[] batch = WorkCompletion.array(2);
        return world -> {
            int polled = world.cq.poll(batch);
            world.taken(batch, polled);
            if (polled == 0) {
                Rounds.nap();
            }
        };
    }

    private Rounds.Use<World> waiting() {
        WorkCompletion[] batch = WorkCompletion.array(2);
        return world -> world.taken(batch, world.cq.await(batch, Rounds.LIMIT));
    }

    private Rounds.Use<World> posting() {
        SendWorkRequest send = new SendWorkRequest(1);
        ReceiveWorkRequest receive = new ReceiveWorkRequest(1);
        return world -> {
            world.post(send, receive);
            Rounds.nap();
        };
    }

    /** The device: completes what was posted, in the order of each queue. */
    private void complete(World world) {
        Rounds.nap();
        for (ByteBuffer ring : world.requests) {
            OptionalLong wrId = kernel.queues().take(ring);
            while (wrId.isPresent() && !kernel.completeOrDrop(world.cq, world.completions, wrId.getAsLong())) {
                Rounds.nap(); // until somebody polls or closes
            }
        }
    }

    @Test
    void showsNobodyAPhantom() throws Exception {
        rounds.thread(this::polling);
        rounds.thread(this::waiting);
        rounds.thread(this::posting);
        rounds.thread(() -> this::complete);
        Kind[] kinds = Kind.values();
        long completed = 0;
        for (int round = 0; round < Rounds.COUNT; round++) {
            World world = new World();
            rounds.use(world, () -> world.completed.get() >= 4);
            VerbsObject object = world.object(kinds[round % kinds.length]);
            object.close();
            assertThat(object.isClosed()).isTrue();
            rounds.leave();
            world.context.close();
            completed += world.completed.get();
            // A descriptor goes when the last thread that waits on it has let go.
            rounds.await(() -> kernel.openFiles() == 0);
            kernel.assertClean();
        }
        assertThat(rounds.end()).isNotNegative();
        assertThat(completed).isGreaterThan(3L * Rounds.COUNT);
    }
}
