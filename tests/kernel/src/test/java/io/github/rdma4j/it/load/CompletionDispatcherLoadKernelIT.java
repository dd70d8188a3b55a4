// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.DispatchedPairs;
import io.github.rdma4j.it.support.DispatchedPairs.Pair;
import io.github.rdma4j.it.support.DispatcherBed;
import io.github.rdma4j.it.support.LeastAllocation;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.QueueFullException;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.dispatch.AsyncQueuePair;
import io.github.rdma4j.verbs.dispatch.DispatcherOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A dispatcher that is busy: full queues, what it allocates, and threads that post at once. */
@RequiresKernel
class CompletionDispatcherLoadKernelIT extends DispatcherBed {
    @Test
    void waitsForRoomInsteadOfFailing() throws Exception {
        open();
        Pair pair = pairs.connect(options -> options.maxSendWr(2).maxReceiveWr(2));
        AsyncQueuePair client = pair.client();
        int capacity = client.queuePair().capacities().maxSendWr();
        List<CompletableFuture<WorkCompletion>> sent = new ArrayList<>();
        for (int i = 0; i < capacity; i++) {
            sent.add(client.send(pairs.message(i, 8))); // nobody receives: they are tried again and again
        }
        assertThat(client.trySend(pairs.message(99, 8), completion -> {})).isFalse();
        assertThatThrownBy(() -> client.send(pairs.message(99, 8))).isInstanceOf(QueueFullException.class);
        assertThat(client.send(pairs.message(99, 8), completion -> {}, Duration.ZERO))
                .isFalse();
        CompletableFuture<Boolean> sendable = new CompletableFuture<>();
        client.whenSendable(() -> sendable.complete(pairs.dispatcher().isHandlerThread()));
        AtomicInteger late = new AtomicInteger();
        Await.Running<Boolean> waiting = Await.inThread(
                        () -> client.send(pairs.message(99, 8), completion -> late.incrementAndGet(), Await.LIMIT))
                .untilAsleep();
        assertThat(sendable).isNotDone();
        AtomicInteger received = new AtomicInteger();
        for (int i = 0; i <= capacity; i++) {
            int number = i;
            Await.until("a receive posted", () -> tryReceive(pair.server(), number, received));
        }
        assertThat(waiting.result()).isTrue();
        assertThat(get(sendable)).isTrue();
        Await.until("the late one completed", () -> late.get() == 1 && received.get() == capacity + 1);
        for (CompletableFuture<WorkCompletion> one : sent) {
            assertThat(get(one).isSuccess()).isTrue();
        }
    }

    private boolean tryReceive(AsyncQueuePair server, int number, AtomicInteger received) {
        try {
            return server.tryReceive(pairs.receive(number, 8), completion -> received.incrementAndGet());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Ping-pong between handlers alone; the spin is long, because a sleep allocates. */
    @Test
    void allocatesNothingForACompletion() throws Exception {
        open(DispatcherOptions.builder().spin(Duration.ofHours(1)));
        Pair pair = pairs.connect();
        PingPong game = new PingPong(pairs, pair);
        game.begin();
        assertThat(game.allocation.bytes())
                .as("bytes of %s rounds, the least of %s series", LeastAllocation.ROUNDS, LeastAllocation.SERIES)
                .isZero();
        assertThat(uncaught).isEmpty();
    }

    /** Each received message is answered by a handler, until enough were measured. */
    private static final class PingPong {
        private final LeastAllocation allocation = new LeastAllocation();
        private final AsyncQueuePair client;
        private final AsyncQueuePair server;
        private final SendWorkRequest message;
        private final ReceiveWorkRequest receive;
        private final WorkCompletion.Handler sent = completion -> completion.requireSuccess();
        private final WorkCompletion.Handler atServer = this::answer;
        private final WorkCompletion.Handler atClient = this::next;

        PingPong(DispatchedPairs pairs, Pair pair) {
            client = pair.client();
            server = pair.server();
            message = pairs.message(1, 8);
            receive = pairs.receive(2, 8);
        }

        void begin() throws Exception {
            client.receive(receive, atClient);
            server.receive(receive, atServer);
            client.send(message, sent);
        }

        private void answer(WorkCompletion completion) throws Exception {
            completion.requireSuccess();
            server.receive(receive, atServer);
            server.send(message, sent);
        }

        private void next(WorkCompletion completion) throws Exception {
            completion.requireSuccess();
            if (allocation.goesOn()) {
                client.receive(receive, atClient);
                client.send(message, sent);
            }
        }
    }

    @Test
    void servesManyThreadsAtOnce() throws Exception {
        open();
        Pair pair = pairs.connect(options -> options.maxSendWr(8).maxReceiveWr(64));
        int each = 200;
        AtomicInteger received = new AtomicInteger();
        AtomicInteger sent = new AtomicInteger();
        WorkCompletion.Handler again = new WorkCompletion.Handler() {
            @Override
            public void onCompletion(WorkCompletion completion) throws Exception {
                completion.requireSuccess();
                received.incrementAndGet();
                pair.server().receive(pairs.receive(1, 8), this);
            }
        };
        for (int i = 0; i < 32; i++) {
            pair.server().receive(pairs.receive(1, 8), again);
        }
        List<Await.Running<Boolean>> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Await.inThread(() -> {
                boolean all = true;
                for (int j = 0; j < each; j++) {
                    all &= pair.client().send(pairs.message(j, 8), completion -> sent.incrementAndGet(), Await.LIMIT);
                }
                return all;
            }));
        }
        for (Await.Running<Boolean> thread : threads) {
            assertThat(thread.result()).isTrue();
        }
        Await.until("all arrived", () -> received.get() == 4 * each && sent.get() == 4 * each);
        assertThat(uncaught).isEmpty();
    }
}
