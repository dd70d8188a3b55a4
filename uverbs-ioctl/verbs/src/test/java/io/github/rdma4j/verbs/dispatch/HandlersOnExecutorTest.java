// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.verbs.WorkCompletion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A dispatcher whose handlers run on an executor that is busy, refuses, or ends. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HandlersOnExecutorTest extends ModelDispatcherBed {
    @Test
    void goesOnWithoutAnExecutorThatDropsItsTasks() throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(9));
        open(options -> options.handlersOn(pool));
        attach(options -> options);
        CountDownLatch busy = new CountDownLatch(1);
        Semaphore dropped = new Semaphore(0);
        pool.execute(() -> {
            busy.countDown();
            dropped.acquireUninterruptibly();
        });
        await(busy);
        CompletableFuture<WorkCompletion> accepted = qp.send(send(1));
        complete();
        awaitThat(() -> pool.getQueue().size() == 1);
        pool.shutdownNow();
        assertThat(get(accepted).wrId()).isEqualTo(1);
        dropped.release();
        CompletableFuture<WorkCompletion> after = qp.send(send(2));
        complete();
        assertThat(get(after).wrId()).isEqualTo(2);
        assertThat(uncaught).isEmpty();
    }

    /** A callback of an event loop that is no handler, and on whose return the handlers wait. */
    @Test
    void refusesToWaitForRoomOnTheThreadOfTheExecutor() throws Exception {
        AtomicReference<Thread> own = new AtomicReference<>();
        ExecutorService eventLoop = Executors.newSingleThreadExecutor(task -> {
            own.set(new Thread(task));
            return own.get();
        });
        open(options -> options.handlersOn(eventLoop, () -> Thread.currentThread() == own.get()));
        attach(options -> options);
        CompletableFuture<WorkCompletion> first = fill();
        Future<Boolean> waiting = eventLoop.submit(() -> qp.send(send(2), completion -> {}, Duration.ofDays(1)));
        assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS))
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot wait for room");
        complete();
        assertThat(get(first).wrId()).isEqualTo(1);
        eventLoop.shutdown();
    }

    static List<RejectedExecutionHandler> discarding() {
        return List.of(new ThreadPoolExecutor.DiscardPolicy(), new ThreadPoolExecutor.DiscardOldestPolicy());
    }

    @ParameterizedTest
    @MethodSource("discarding")
    void refusesPoolsThatDiscard(RejectedExecutionHandler policy) throws Exception {
        openAndAttach();
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), policy);
        assertThatThrownBy(() -> DispatcherOptions.builder().handlersOn(pool))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("RejectedExecutionHandler");
    }
}
