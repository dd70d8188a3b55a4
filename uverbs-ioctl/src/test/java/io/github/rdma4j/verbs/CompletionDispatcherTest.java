// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.uverbs.WriteCommands;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a dispatcher does when something goes wrong or ends, on a queue pair that holds three sends and three receives. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("NullAway.Init") // each test opens the device first
class CompletionDispatcherTest {
    private final ModelKernel kernel = new ModelKernel(8, 7);
    private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    private DeviceContext context;
    private ProtectionDomain pd;
    private CompletionDispatcher dispatcher;
    private ByteBuffer completions;
    private QueuePair made;
    private DispatchedQueuePair qp;
    private List<ByteBuffer> rings;

    private void open(UnaryOperator<DispatcherOptions.Builder> change) throws RdmaException {
        DispatcherOptions.Builder options =
                DispatcherOptions.builder().completions(7).uncaught((thread, thrown) -> uncaught.add(thrown));
        context = kernel.open();
        pd = context.allocatePd();
        dispatcher = CompletionDispatcher.open(context, change.apply(options).build());
        completions = kernel.queues().takeFresh().get(0);
    }

    private void attach(UnaryOperator<QueuePairOptions.Builder> change) throws RdmaException {
        made = pd.createQp(change.apply(QueuePairOptions.builder().cq(dispatcher.completionQueue()))
                .build());
        rings = kernel.queues().takeFresh();
        qp = dispatcher.attach(made);
        made.modify(QpAttr.builder().state(QpState.RTS).build());
    }

    private void openAndAttach() throws RdmaException {
        open(options -> options);
        attach(options -> options);
    }

    @AfterEach
    void close() throws RdmaException {
        context.close();
    }

    private static SendWorkRequest send(long wrId) {
        return new SendWorkRequest(0).wrId(wrId).send();
    }

    private static ReceiveWorkRequest receive(long wrId) {
        return new ReceiveWorkRequest(0).wrId(wrId);
    }

    /** As many sends as there is room for. */
    private CompletableFuture<WorkCompletion> fill() throws RdmaException {
        CompletableFuture<WorkCompletion> first = qp.send(send(1));
        while (qp.trySend(send(1), completion -> {})) {
            // one more
        }
        return first;
    }

    /** The device completes the oldest of each queue. */
    private void complete() {
        for (ByteBuffer ring : rings) {
            kernel.completeOldest(dispatcher.completionQueue(), completions, ring);
        }
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitThat(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(1); // a hang ends with the time limit of the test
        }
    }

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
                .hasMessageContaining("would wait for itself");
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

    @Test
    void aWaiterThatIsRefusedPassesTheRoomOn() throws Exception {
        openAndAttach();
        MemoryRegion closed = pd.registerMr(ByteBuffer.allocateDirect(8), EnumSet.of(Access.LOCAL_WRITE));
        SendWorkRequest refused = new SendWorkRequest(1).send().add(closed, 0, 8);
        CompletableFuture<WorkCompletion> first = fill();
        List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
        for (SendWorkRequest request : List.of(refused, send(2))) {
            CompletableFuture<Boolean> result = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                try {
                    result.complete(qp.send(request, completion -> {}, Duration.ofDays(1)));
                } catch (Throwable e) {
                    result.completeExceptionally(e);
                }
            });
            thread.setDaemon(true);
            thread.start();
            awaitThat(() -> thread.getState() == Thread.State.TIMED_WAITING);
            waiting.add(result);
        }
        closed.close();
        complete();
        get(first);
        assertThatThrownBy(() -> get(waiting.get(0))).hasMessageContaining("is closed");
        assertThat(get(waiting.get(1))).isTrue();
    }

    @Test
    void runsEachActionThatWaitsForRoomUntilOneTakesIt() throws Exception {
        openAndAttach();
        CompletableFuture<WorkCompletion> first = fill();
        CountDownLatch leftIt = new CountDownLatch(1);
        CompletableFuture<Boolean> tookIt = new CompletableFuture<>();
        AtomicInteger third = new AtomicInteger();
        qp.whenSendable(leftIt::countDown);
        qp.whenSendable(() -> {
            try {
                tookIt.complete(qp.trySend(send(2), completion -> {}));
            } catch (RdmaException e) {
                tookIt.completeExceptionally(e);
            }
        });
        qp.whenSendable(third::incrementAndGet);
        complete();
        get(first);
        await(leftIt);
        assertThat(get(tookIt)).isTrue();
        assertThat(third).hasValue(0);
    }

    @SuppressWarnings("NullAway") // a mistake of a program that nobody checks
    private static SendWorkRequest none() {
        return null;
    }

    @Test
    void aRequestThatIsNullTakesNoRoom() throws Exception {
        openAndAttach();
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> qp.send(none(), completion -> {})).isInstanceOf(NullPointerException.class);
        }
        assertThat(qp.trySend(send(1), completion -> {})).isTrue();
    }

    @Test
    void keepsTheMemoryOfAQueuePairThatTheKernelDidNotDestroy() throws Exception {
        openAndAttach();
        RegisteredByteBufAllocator alloc = RegisteredByteBufAllocator.open(pd, EnumSet.of(Access.LOCAL_WRITE));
        ByteBuf posted = alloc.directBuffer(64, 64);
        long address = posted.memoryAddress();
        CompletableFuture<WorkCompletion> flushed =
                qp.receive(NettyMemory.add(new ReceiveWorkRequest(1), posted, 0, 64));
        posted.release();
        kernel.refuse(WriteCommands.IB_USER_VERBS_CMD_DESTROY_QP, new Errno(16));
        assertThatThrownBy(made::close).hasMessageContaining("EBUSY");
        assertThatThrownBy(() -> get(flushed)).hasMessageContaining("WR_FLUSH_ERR");
        CountDownLatch after = new CountDownLatch(1);
        dispatcher.later(after::countDown);
        await(after);
        assertThat(posted.refCnt()).isPositive();
        ByteBuf other = alloc.directBuffer(64, 64);
        assertThat(other.memoryAddress()).isNotEqualTo(address);
        other.release();
        kernel.allow(WriteCommands.IB_USER_VERBS_CMD_DESTROY_QP);
        assertThatThrownBy(context::close).as("the queue pair is still there").hasMessageContaining("EBUSY");
    }

    /** Fails sleeping {@code times} times, and then lets {@code over} know. */
    private void failSleeping(Throwable failure, int times, CountDownLatch over) {
        kernel.beforePoll(() -> {
            failSleepingOn(failure, times - 1, over);
            throw ModelFailure.of(failure);
        });
    }

    private void failSleepingOn(Throwable failure, int times, CountDownLatch over) {
        if (times > 0) {
            failSleeping(failure, times, over);
        } else {
            kernel.beforePoll(over::countDown);
        }
    }

    /** Throws what it is given as it is. */
    private static final class ModelFailure {
        static RuntimeException of(Throwable failure) {
            if (failure instanceof Error error) {
                throw error;
            }
            return (RuntimeException) failure;
        }
    }

    static List<Throwable> passing() {
        return List.of(new OutOfMemoryError("for a test"), new IllegalArgumentException("a mistake of a provider"));
    }

    @ParameterizedTest
    @MethodSource("passing")
    void goesOnAfterAFailureAndReportsItOnce(Throwable failure) throws Exception {
        open(options -> options.spin(Duration.ZERO));
        attach(options -> options);
        for (int trouble = 1; trouble <= 2; trouble++) {
            CountDownLatch sleeps = new CountDownLatch(1);
            failSleeping(failure, 5, sleeps);
            dispatcher.later(() -> {});
            await(sleeps);
            CompletableFuture<WorkCompletion> sent = qp.send(send(1));
            complete();
            assertThat(get(sent).wrId()).isEqualTo(1);
            assertThat(uncaught).hasSize(trouble);
        }
        assertThat(dispatcher.isClosed()).isFalse();
    }

    @Test
    void handlersDoNotNestInTheEnd() throws Exception {
        open(options -> options);
        SharedReceiveQueue srq = pd.createSrq(SrqOptions.DEFAULT);
        kernel.queues().takeFresh();
        attach(options -> options.srq(srq));
        DispatchedReceiveQueue receives = dispatcher.attach(srq);
        List<String> order = new ArrayList<>();
        receives.receive(receive(1000), completion -> order.add("receive " + completion.wrId()));
        qp.send(send(1), completion -> {
            srq.close();
            order.add("send " + completion.wrId());
        });
        dispatcher.close();
        assertThat(order).containsExactly("send 1", "receive 1000");
        assertThat(uncaught).isEmpty();
    }

    @Test
    void aRefusedDoorbellDoesNotTakeTheRequestBack() throws Exception {
        openAndAttach();
        kernel.refuse(WriteCommands.IB_USER_VERBS_CMD_POST_SEND, Errno.EINVAL);
        CompletableFuture<Long> completed = new CompletableFuture<>();
        assertThatThrownBy(() -> qp.send(send(1), completion -> completed.complete(completion.wrId())))
                .isInstanceOf(ErrnoException.class);
        kernel.allow(WriteCommands.IB_USER_VERBS_CMD_POST_SEND);
        complete();
        assertThat(get(completed)).isEqualTo(1);
    }

    /** A server answers and posts again while another thread closes the connection. */
    @Test
    void aHandlerPostsToAQueuePairThatWasClosedMeanwhile() throws Exception {
        openAndAttach();
        List<CompletableFuture<String>> told = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            told.add(new CompletableFuture<>());
        }
        qp.send(send(1), completion -> {
            made.close();
            qp.send(send(2), second -> told.get(0).complete(second.toString()));
            qp.receive(receive(3), third -> {
                told.get(1).complete(third.toString());
                third.requireSuccess();
            });
            qp.whenSendable(() -> told.get(2).complete("woken"));
            assertThat(told).noneMatch(CompletableFuture::isDone);
        });
        complete();
        assertThat(get(told.get(0))).contains("wr_id=2", "WR_FLUSH_ERR");
        assertThat(get(told.get(1))).contains("wr_id=3", "WR_FLUSH_ERR");
        get(told.get(2));
        assertThatThrownBy(() -> qp.send(send(4)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
        dispatcher.close();
        assertThat(uncaught).isEmpty();
    }

    @Test
    void whatIsPostedToAQueuePairThatWasClosedHoldsItsMemoryUntilTheHandlerHasReturned() throws Exception {
        openAndAttach();
        RegisteredByteBufAllocator alloc = RegisteredByteBufAllocator.open(pd, EnumSet.of(Access.LOCAL_WRITE));
        ByteBuf posted = alloc.directBuffer(64, 64);
        CompletableFuture<Integer> counted = new CompletableFuture<>();
        qp.send(send(1), completion -> {
            made.close();
            qp.receive(NettyMemory.add(new ReceiveWorkRequest(1), posted), second -> counted.complete(posted.refCnt()));
            posted.release();
        });
        complete();
        assertThat(get(counted)).isOne();
        dispatcher.close();
        assertThat(posted.refCnt()).isZero();
        assertThat(uncaught).isEmpty();
    }

    @Test
    void aHandlerThatIsToldOfTheEndCannotPostAgain() throws Exception {
        openAndAttach();
        AtomicInteger calls = new AtomicInteger();
        qp.receive(receive(1), new WorkCompletionHandler() {
            @Override
            public void onCompletion(WorkCompletion completion) throws RdmaException {
                calls.incrementAndGet();
                qp.receive(receive(2), this);
            }
        });
        made.close();
        dispatcher.close();
        assertThat(calls).hasValue(1);
        assertThat(uncaught)
                .singleElement()
                .satisfies(thrown -> assertThat(thrown).hasMessageContaining("is closed"));
    }

    @Test
    void doesNotReportTheFlushOfAQueuePairThatTheProgramHasClosed() throws Exception {
        openAndAttach();
        qp.receive(receive(1), WorkCompletion::requireSuccess);
        made.close();
        dispatcher.close();
        assertThat(uncaught).isEmpty();
    }
}
