// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.providers.card.CardThread;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.Mlx5Settings;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.XrcDomain;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Receives of a shared queue in regions whose pages the device fetches on demand. A page that it does not find costs a program
 * nothing: no completion says so, and the message arrives in its place.
 */
@Timeout(60)
class PageFaultsTest {
    private static final int PAGE = 4096;
    private static final int PAGES = 100;
    private static final int MESSAGES = 2000;
    private static final int RECEIVES = 7;
    private static final SharedReceiveQueueOptions OPTIONS =
            SharedReceiveQueueOptions.builder().maxReceiveWr(RECEIVES).build();

    private final WorkCompletion[] one = WorkCompletion.array(1);

    private static MemoryRegion onDemand(ProtectionDomain pd, ByteBuffer memory) throws RdmaException {
        return pd.registerMr(memory, EnumSet.of(Access.LOCAL_WRITE, Access.ON_DEMAND));
    }

    /** A receive in the page {@code number}, which is the number of the work request. */
    private static ReceiveWorkRequest receive(MemoryRegion region, int number) {
        return new ReceiveWorkRequest(1).wrId(number).add(region, (long) number * PAGE, 8);
    }

    private static SendWorkRequest send(long value) {
        return new SendWorkRequest(1)
                .wrId(value)
                .send()
                .inline(ByteBuffer.allocate(Long.BYTES).putLong(0, value))
                .signaled();
    }

    /** A queue pair that completes in {@code sends}, and whose peer takes its receives from {@code srq}. */
    private static QueuePair sender(
            CardPair pair, SharedReceiveQueue srq, CompletionQueue sends, CompletionQueue receives)
            throws RdmaException {
        QueuePairOptions.Builder options =
                QueuePairOptions.builder().sendCq(sends).receiveCq(receives);
        QueuePair sender = pair.pd().createQp(options.maxInline(8).build());
        QueuePair receiver = pair.pd().createQp(options.srq(srq).build());
        RawConnection.connect(sender, receiver, CardKernel.WAY);
        return sender;
    }

    /** Lets the device go on until it has completed something in {@code cq}; returns how often it had not. */
    private int await(CardKernel kernel, CompletionQueue cq) {
        int empty = 0;
        kernel.card().settle();
        while (cq.poll(one) == 0) {
            kernel.card().settle();
            empty++;
            assertThat(empty).as("faults of a message").isLessThan(PAGES);
        }
        assertThat(one[0].isSuccess()).as("%s", one[0]).isTrue();
        return empty;
    }

    /** More pages than the queue has entries, and entries that rest: each page is absent once. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aMessageArrivesWhereThePageWasAbsent(int cqeVersion) throws RdmaException {
        ByteBuffer memory = ByteBuffer.allocateDirect((PAGES + 1) * PAGE).alignedSlice(PAGE);
        try (CardPair pair = new CardPair(new Mlx5Settings().cqeVersion(cqeVersion))) {
            SharedReceiveQueue srq = pair.pd().createSrq(OPTIONS);
            CompletionQueue receives = pair.context().createCq(15);
            MemoryRegion region = onDemand(pair.pd(), memory);
            QueuePair sender = sender(pair, srq, pair.cq(), receives);
            int next = 0;
            while (srq.tryPostReceive(receive(region, next))) {
                next++;
            }
            assertThat(next).as("receives").isEqualTo(RECEIVES);
            int faults = 0;
            for (int value = 0; next < PAGES; value++) {
                sender.postSend(send(value));
                faults += await(pair.kernel(), receives);
                assertThat(memory.getLong((int) one[0].wrId() * PAGE)).isEqualTo(value);
                assertThat(pair.poll().wrId()).isEqualTo(value);
                srq.postReceive(receive(region, next++));
                assertThat(srq.tryPostReceive(receive(region, 0))).as("room").isFalse();
            }
            assertThat(faults).isPositive();
            assertThat(receives.ignoredEntries()).isZero();
        }
    }

    @Test
    void aMessageOfXrcArrivesWhereThePageWasAbsent() throws RdmaException {
        ByteBuffer memory = ByteBuffer.allocateDirect(2 * PAGE).alignedSlice(PAGE);
        CardKernel kernel = new CardKernel(new Mlx5Settings());
        try (XrcEnd end = new XrcEnd(kernel)) {
            XrcDomain xrcd = XrcDomain.open(end.context());
            CompletionQueue receives = end.context().createCq(15);
            SharedReceiveQueue srq = xrcd.createSrq(end.pd(), receives, OPTIONS);
            QueuePair initiator = end.connectedTo(xrcd.createQp());
            srq.postReceive(receive(onDemand(end.pd(), memory), 0));
            initiator.postSend(end.send(101, srq.number()));

            assertThat(await(kernel, receives)).isPositive();

            assertThat(one[0].wrId()).isZero();
            assertThat(memory.getLong(0)).isEqualTo(101);
            assertThat(end.poll().wrId()).isEqualTo(101);
            assertThat(receives.ignoredEntries()).isZero();
        }
        kernel.assertClean();
    }

    /** One thread posts to the queue while two poll, each its own completion queue, and so post again. */
    @Test
    void pollersPostAgainBesideAProducer() throws Exception {
        ByteBuffer memory = ByteBuffer.allocateDirect((MESSAGES + 1) * PAGE).alignedSlice(PAGE);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (CardPair pair = new CardPair(new Mlx5Settings())) {
            SharedReceiveQueue srq = pair.pd().createSrq(OPTIONS);
            MemoryRegion region = onDemand(pair.pd(), memory);
            Traffic[] traffics = {new Traffic(pair, srq, memory), new Traffic(pair, srq, memory)};
            List<Long> arrived = new ArrayList<>();
            CardThread device = CardThread.start(pair.kernel().card());
            try {
                Future<List<Long>> even = threads.submit(() -> traffics[0].exchange(0));
                Future<List<Long>> odd = threads.submit(() -> traffics[1].exchange(1));
                for (int number = 0; number < MESSAGES && !(even.isDone() && odd.isDone()); ) {
                    number += srq.tryPostReceive(receive(region, number)) ? 1 : 0;
                }
                arrived.addAll(even.get());
                arrived.addAll(odd.get());
            } finally {
                device.close();
            }
            assertThat(arrived)
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.range(0, MESSAGES).boxed().toList());
        } finally {
            threads.shutdownNow();
        }
    }

    /** Half of the messages, between two queue pairs of their own. */
    private static final class Traffic {
        private static final int UNDER_WAY = 8;

        private final ByteBuffer memory;
        private final CompletionQueue sends;
        private final CompletionQueue receives;
        private final QueuePair sender;
        private final WorkCompletion[] into = WorkCompletion.array(UNDER_WAY);

        Traffic(CardPair pair, SharedReceiveQueue srq, ByteBuffer memory) throws RdmaException {
            this.memory = memory;
            this.sends = pair.context().createCq(UNDER_WAY);
            this.receives = pair.context().createCq(4 * UNDER_WAY);
            this.sender = sender(pair, srq, sends, receives);
        }

        /** Sends every second number from {@code first} on; returns what has arrived. */
        List<Long> exchange(int first) throws RdmaException {
            List<Long> arrived = new ArrayList<>();
            int completed = 0;
            int next = first;
            while ((completed < MESSAGES / 2 || arrived.size() < MESSAGES / 2) && !Thread.interrupted()) {
                if (next < MESSAGES && (next - first) / 2 - completed < UNDER_WAY) {
                    sender.postSend(send(next));
                    next += 2;
                }
                completed += poll(sends);
                int polled = poll(receives);
                for (int i = 0; i < polled; i++) {
                    arrived.add(memory.getLong((int) into[i].wrId() * PAGE));
                }
            }
            return arrived;
        }

        private int poll(CompletionQueue cq) {
            int polled = cq.poll(into);
            for (int i = 0; i < polled; i++) {
                assertThat(into[i].isSuccess()).as("%s", into[i]).isTrue();
            }
            return polled;
        }
    }
}
