// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a dispatcher does when something goes wrong or ends, on a queue pair that holds three sends and three receives. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompletionDispatcherTest extends ModelDispatcherBed {
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
        return List.of(new StackOverflowError("for a test"), new IllegalArgumentException("a mistake of a provider"));
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
    void goesOnWhenAHandlerThrows() throws Exception {
        openAndAttach();
        SendWorkRequest request = send(11);
        AssertionError mistake = new AssertionError("a mistake of the program");
        qp.send(request, completion -> {
            throw mistake;
        });
        CompletableFuture<WorkCompletion> second = qp.send(request);
        complete();
        complete();
        assertThat(get(second).wrId()).isEqualTo(11);
        assertThat(request.wrId()).isEqualTo(11);
        List<WorkCompletion> others = new ArrayList<>();
        for (int wrId = 12; wrId < 14; wrId++) {
            CompletableFuture<WorkCompletion> other = qp.send(send(wrId));
            complete();
            others.add(get(other));
        }
        assertThat(others).as("copies").extracting(WorkCompletion::wrId).containsExactly(12L, 13L);
        assertThat(uncaught).containsExactly(mistake);
    }

    @Test
    void closesWhenTheHandlerThatClosesItReturns() throws Exception {
        openAndAttach();
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        qp.send(send(1), completion -> {
            dispatcher.close();
            closed.complete(made.isClosed());
        });
        complete();
        assertThat(get(closed)).isFalse();
        awaitThat(made::isClosed);
    }

    @Test
    void handlersDoNotNestInTheEnd() throws Exception {
        open(options -> options);
        SharedReceiveQueue srq = pd.createSrq(SharedReceiveQueueOptions.DEFAULT);
        kernel.queues().takeFresh();
        attach(options -> options.srq(srq));
        AsyncReceiveQueue receives = dispatcher.attach(srq);
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
            assertThatThrownBy(() -> qp.send(send(9), other -> {}, Duration.ofDays(1)))
                    .hasMessageContaining("whenSendable");
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
    void aHandlerThatIsToldOfTheEndCannotPostAgain() throws Exception {
        openAndAttach();
        AtomicInteger calls = new AtomicInteger();
        qp.receive(receive(1), new WorkCompletion.Handler() {
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
