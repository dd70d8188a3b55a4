// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.it.support.DispatchedPairs.Pair;
import io.github.rdma4j.it.support.DispatcherBed;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.QueueFullException;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.WorkCompletionException;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import io.github.rdma4j.verbs.dispatch.AsyncReceiveQueue;
import io.github.rdma4j.verbs.dispatch.CompletionDispatcher;
import io.github.rdma4j.verbs.dispatch.DispatcherOptions;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Completions of many queue pairs that go to handlers and futures. */
@RequiresKernel
class CompletionDispatcherKernelIT extends DispatcherBed {
    private static int statusOf(CompletableFuture<WorkCompletion> future) throws Exception {
        try {
            return get(future).rawStatus();
        } catch (ExecutionException e) {
            return ((WorkCompletionException) Objects.requireNonNull(e.getCause())).rawStatus();
        }
    }

    private static void assertFlushed(List<CompletableFuture<WorkCompletion>> futures) throws Exception {
        for (CompletableFuture<WorkCompletion> future : futures) {
            assertThat(statusOf(future)).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR.code());
        }
    }

    @Test
    void deliversEachCompletionToItsHandler() throws Exception {
        open();
        List<Pair> connections = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            connections.add(pairs.connect());
        }
        int rounds = 200;
        AtomicInteger wrong = new AtomicInteger();
        AtomicInteger received = new AtomicInteger();
        AtomicInteger sent = new AtomicInteger();
        for (int round = 0; round < rounds; round++) {
            int before = round;
            Await.until("room", () -> Math.min(received.get(), sent.get()) >= (before - 4) * 8);
            for (int i = 0; i < connections.size(); i++) {
                Pair pair = connections.get(i);
                long number = round * 100L + i;
                int qpn = pair.server().queuePair().qpn();
                pair.server().receive(pairs.receive(number, 8), completion -> {
                    wrong.addAndGet(completion.wrId() == number && completion.qpNumber() == qpn ? 0 : 1);
                    received.incrementAndGet();
                });
                pair.client().send(pairs.message(-number, 8), completion -> {
                    wrong.addAndGet(completion.wrId() == -number && completion.isSuccess() ? 0 : 1);
                    sent.incrementAndGet();
                });
            }
        }
        Await.until("all completed", () -> received.get() == rounds * 8 && sent.get() == rounds * 8);
        assertThat(wrong).hasValue(0);
        assertThat(uncaught).isEmpty();
    }

    @Test
    void flushesWhatAClosedQueuePairHadInFlight() throws Exception {
        open();
        Pair pair = pairs.connect();
        Pair other = pairs.connect();
        List<CompletableFuture<WorkCompletion>> futures = new ArrayList<>();
        AtomicReference<WorkCompletion> seen = new AtomicReference<>();
        for (int i = 0; i < 4; i++) {
            futures.add(pair.server().receive(pairs.receive(i, 8)));
        }
        pair.server().receive(pairs.receive(77, 8), completion -> {
            assertThat(completion.wrId()).isEqualTo(77);
            assertThat(completion.qpNumber())
                    .isEqualTo(pair.server().queuePair().qpn());
            assertThat(completion.isReceive()).isTrue();
            seen.set(completion);
        });
        pair.server().queuePair().close();
        assertFlushed(futures);
        Await.until("the handler was called", () -> seen.get() != null);
        assertThatThrownBy(() -> pair.server().receive(pairs.receive(1, 8)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
        CompletableFuture<WorkCompletion> received = other.server().receive(pairs.receive(5, 8));
        get(other.client().send(pairs.message(6, 8)));
        assertThat(get(received).wrId()).isEqualTo(5);
        assertThat(uncaught).isEmpty();
    }

    @Test
    void endsWithItsContextAndWhenItsThreadIsInterrupted() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        open(DispatcherOptions.builder().spin(Duration.ZERO).thread(task -> {
            Thread made = new Thread(task, "to be interrupted");
            thread.complete(made);
            return made;
        }));
        Pair pair = pairs.connect();
        List<CompletableFuture<WorkCompletion>> futures = List.of(
                pair.server().receive(pairs.receive(1, 8)), pair.client().receive(pairs.receive(2, 8)));
        get(thread).interrupt();
        assertFlushed(futures);
        CompletionDispatcher second = CompletionDispatcher.open(pairs.context());
        second.completionQueue().close();
        Await.until("the thread has noticed", second::isClosed);
        second.close();
        assertThat(uncaught).isEmpty();
    }

    @Test
    @SuppressWarnings("try") // the loop is closed before the dispatcher that it serves
    void runsHandlersOnTheLoopOfTheConnectionManager() throws Exception {
        try (CmEventLoop loop = CmEventLoop.open()) {
            open(DispatcherOptions.builder().handlersOn(loop, loop::isLoopThread));
            Pair pair = pairs.connect();
            CompletableFuture<Boolean> onLoop = new CompletableFuture<>();
            pair.server().receive(pairs.receive(1, 8), completion -> onLoop.complete(loop.isLoopThread()));
            get(pair.client().send(pairs.message(2, 8)));
            assertThat(get(onLoop)).isTrue();
            List<CompletableFuture<WorkCompletion>> left = List.of(pair.server().receive(pairs.receive(3, 8)));
            loop.close();
            pairs.dispatcher().close();
            assertFlushed(left);
        }
    }

    @Test
    void runsHandlersOnAnEventLoopOfNetty() throws Exception {
        DefaultEventExecutor netty = new DefaultEventExecutor();
        try {
            open(DispatcherOptions.builder().handlersOn(netty));
            Pair pair = pairs.connect();
            AtomicInteger inLoop = new AtomicInteger();
            AtomicInteger received = new AtomicInteger();
            for (int i = 0; i < 8; i++) {
                pair.server().receive(pairs.receive(i, 8), completion -> {
                    inLoop.addAndGet(netty.inEventLoop() ? 1 : 0);
                    received.incrementAndGet();
                });
            }
            for (int i = 0; i < 8; i++) {
                get(pair.client().send(pairs.message(i, 8)));
            }
            Await.until("all received", () -> received.get() == 8);
            assertThat(inLoop).hasValue(8);
            List<CompletableFuture<WorkCompletion>> left = List.of(pair.server().receive(pairs.receive(3, 8)));
            get(CompletableFuture.runAsync(pairs.dispatcher()::close, netty));
            assertFlushed(left);
        } finally {
            netty.shutdownGracefully(0, 0, TimeUnit.SECONDS).await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void deliversReceivesOfASharedQueue() throws Exception {
        open();
        SharedReceiveQueue srq = pairs.pd()
                .createSrq(SharedReceiveQueueOptions.builder().maxReceiveWr(16).build());
        AsyncReceiveQueue receives = pairs.dispatcher().attach(srq);
        Queue<Integer> from = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < 8; i++) {
            receives.receive(pairs.receive(i, 8), completion -> from.add(completion.qpNumber()));
        }
        Pair first = pairs.connect(options -> options.srq(srq));
        Pair second = pairs.connect(options -> options.srq(srq));
        get(first.client().send(pairs.message(1, 8)));
        get(second.client().send(pairs.message(2, 8)));
        Await.until("both received", () -> from.size() == 2);
        assertThat(from)
                .containsExactlyInAnyOrder(
                        first.server().queuePair().qpn(),
                        second.server().queuePair().qpn());
        assertThatThrownBy(() -> first.server().receive(pairs.receive(1, 8))).isInstanceOf(QueueFullException.class);
        srq.close();
        Await.until("the others are flushed", () -> from.size() == 8);
        assertThat(uncaught).isEmpty();
    }

    @Test
    void refusesWhatItCannotServe() throws Exception {
        open(DispatcherOptions.builder().completions(8));
        try (Loopback stranger = Loopback.connected()) {
            assertThatThrownBy(() -> pairs.dispatcher().attach(stranger.client().qp()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("completionQueue()");
        }
        int room = pairs.dispatcher().completionQueue().capacity();
        assertThatThrownBy(
                        () -> pairs.connect(options -> options.maxSendWr(room).maxReceiveWr(room)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("raise DispatcherOptions.completions");
    }

    @Test
    void reportsWhatWasPostedBesideIt() throws Exception {
        open();
        Pair pair = pairs.connect();
        pair.server()
                .queuePair()
                .postReceive(new ReceiveWorkRequest(1).wrId(Long.MAX_VALUE).add(pairs.region(), 0, 8));
        get(pair.client().send(pairs.message(1, 8)));
        Await.until("reported", () -> !uncaught.isEmpty());
        assertThat(uncaught)
                .singleElement()
                .satisfies(thrown ->
                        assertThat(thrown).hasMessageContaining("no work request posted through the dispatcher"));
    }
}
