// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.IB_USER_VERBS_CMD_REQ_NOTIFY_CQ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.ReadinessSet;
import io.github.rdma4j.support.Background;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Waiting for completions, with the races between looking, arming and sleeping played one by one. */
class CompletionAwaitTest extends CompletionScenes {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final WorkCompletion[] one = WorkCompletion.array(1);

    private static Future<Long> waiting(CompletionQueue queue) {
        return Background.start(() -> {
            WorkCompletion[] into = WorkCompletion.array(1);
            assertThat(queue.await(into)).isEqualTo(1);
            return into[0].wrId();
        });
    }

    /** Starts {@code waiter} and returns when it is about to sleep. */
    private Future<Long> asleep(CompletionQueue queue) throws InterruptedException {
        CountDownLatch sleeping = new CountDownLatch(1);
        kernel.beforePoll(sleeping::countDown);
        Future<Long> waiter = waiting(queue);
        sleeping.await();
        return waiter;
    }

    @Test
    void takesAvailableCompletionsWithoutASystemCall() throws Exception {
        kernel.complete(cq, 1);
        kernel.complete(cq, 2);
        int before = kernel.calls();
        WorkCompletion[] two = WorkCompletion.array(2);
        assertThat(cq.await(two, LIMIT)).isEqualTo(2);
        assertThat(kernel.calls()).isEqualTo(before);
        assertThat(two[1].wrId()).isEqualTo(2);
    }

    @Test
    void allocatesNothingWhileCompletionsCome() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] numbers = {1};
        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 1000; i++) {
                kernel.complete(cq, numbers[0]);
                cq.await(one, LIMIT);
            }
            allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(allocated).as("bytes of 1000 waits").isLessThan(16_000 + 1000 * bytesOfTheModel());
    }

    /** Bytes that the model itself allocates for a completion. */
    private long bytesOfTheModel() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 1000; i++) {
            kernel.complete(cq, 1);
            cq.poll(one);
        }
        return (threads.getCurrentThreadAllocatedBytes() - before) / 1000;
    }

    @Test
    void looksAgainAfterItHasArmed() throws Exception {
        ModelKernel.Gate arming = kernel.hold(IB_USER_VERBS_CMD_REQ_NOTIFY_CQ);
        Future<Long> waiter = waiting(cq);
        arming.awaitCall();
        kernel.complete(cq, 7);
        arming.open();
        assertThat(waiter.get()).isEqualTo(7);
    }

    @Test
    void isWokenByAnEventBetweenTheLastPollAndTheSleep() throws Exception {
        kernel.beforePoll(() -> kernel.complete(cq, 8));
        assertThat(cq.await(one)).isEqualTo(1);
        assertThat(one[0].wrId()).isEqualTo(8);
    }

    @Test
    void continuesToSleepWhenTheCompletionWasTakenAlready() throws Exception {
        channel.close();
        CompletionChannel other = context.createCompletionChannel();
        CompletionQueue queue = context.createCq(3, 0, other);
        ModelKernel.Gate arming = kernel.hold(IB_USER_VERBS_CMD_REQ_NOTIFY_CQ);
        Future<Long> waiter = waiting(queue);
        arming.awaitCall();
        kernel.complete(queue, 1);
        arming.open();
        waiter.get();
        kernel.complete(queue, 2); // armed: the event comes
        assertThat(queue.poll(one)).isEqualTo(1);
        assertThat(queue.await(one, Duration.ofMillis(30))).isZero();
    }

    @Test
    void armsOnceForAsLongAsNoEventComes() throws Exception {
        assertThat(cq.await(one, Duration.ofMillis(1))).isZero();
        int before = kernel.calls();
        kernel.beforePoll(() -> kernel.complete(cq, 3));
        assertThat(cq.await(one, LIMIT)).isEqualTo(1);
        assertThat(kernel.calls() - before).as("one poll, one read").isEqualTo(2);
    }

    @Test
    void returnsNothingWhenTheTimeIsOver() throws Exception {
        assertThat(cq.await(one, Duration.ofMillis(5))).isZero();
        int before = kernel.calls();
        assertThat(cq.await(one, Duration.ZERO)).isZero();
        assertThat(kernel.calls()).as("no system call").isEqualTo(before);
    }

    @Test
    void armsAgainAfterTheKernelHasRefused() throws Exception {
        kernel.refuse(IB_USER_VERBS_CMD_REQ_NOTIFY_CQ, Errno.ENOMEM);
        assertThatThrownBy(() -> cq.await(one, LIMIT)).isInstanceOf(ErrnoException.class);
        kernel.allow(IB_USER_VERBS_CMD_REQ_NOTIFY_CQ);
        kernel.beforePoll(() -> kernel.complete(cq, 4));
        assertThat(cq.await(one, LIMIT)).isEqualTo(1);
    }

    @Test
    void saysThatAChannelIsMissing() throws Exception {
        CompletionQueue silent = context.createCq(3);
        kernel.complete(silent, 1);
        assertThatThrownBy(() -> silent.await(one, LIMIT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has no completion channel");
        assertThatThrownBy(() -> cq.await(new WorkCompletion[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 1");
    }

    @Test
    void endsWhenTheThreadIsInterrupted() throws Exception {
        Thread self = Thread.currentThread();
        kernel.beforePoll(() -> interruptFromOutside(self));
        assertThatThrownBy(() -> cq.await(one)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        self.interrupt();
        assertThatThrownBy(() -> cq.await(one)).isInstanceOf(InterruptedException.class);
        self.interrupt();
        kernel.complete(cq, 5);
        assertThat(cq.await(one)).as("a completion that is there comes first").isEqualTo(1);
        assertThat(Thread.interrupted()).isTrue();
    }

    /** A thread that interrupts itself is not in a system call, and so not told to leave it. */
    static void interruptFromOutside(Thread thread) {
        Thread other = new Thread(thread::interrupt);
        other.start();
        while (other.isAlive()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void endsWhenTheQueueIsClosed() throws Exception {
        Future<Long> first = asleep(cq);
        Future<Long> second = asleep(cq);
        cq.close();
        for (Future<Long> waiter : List.of(first, second)) {
            assertThatThrownBy(waiter::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(ClosedWhileWaitingException.class)
                    .hasMessageContaining(cq.toString());
        }
        assertThatThrownBy(() -> cq.await(one))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
    }

    @Test
    void endsWhenTheChannelIsClosed() throws Exception {
        Future<Long> waiter = asleep(cq);
        channel.close();
        assertThatThrownBy(waiter::get).hasCauseInstanceOf(ClosedWhileWaitingException.class);
    }

    @Test
    void wakesEachOfTwoThatWaitForOneQueue() throws Exception {
        Future<Long> first = asleep(cq);
        Future<Long> second = asleep(cq);
        kernel.complete(cq, 1); // causes the only event
        kernel.complete(cq, 2);
        assertThat(first.get() + second.get()).isEqualTo(3);
    }

    /** A thread must not take the queue for armed while the request of another thread has not reached the kernel. */
    @Test
    void waitsForTheRequestOfAnotherThread() throws Exception {
        ModelKernel.Gate arming = kernel.hold(IB_USER_VERBS_CMD_REQ_NOTIFY_CQ);
        Future<Long> first = waiting(cq);
        arming.awaitCall();
        Future<Long> second = waiting(cq);
        kernel.complete(cq, 1); // neither causes an event
        kernel.complete(cq, 2);
        arming.open();
        assertThat(first.get() + second.get()).isEqualTo(3);
    }

    @Test
    void handsTheEventOfAnotherQueueToTheThreadThatWaitsForIt() throws Exception {
        CompletionQueue other = context.createCq(3, 0, channel);
        Future<Long> first = asleep(cq);
        Future<Long> second = asleep(other);
        kernel.complete(other, 2);
        assertThat(second.get()).isEqualTo(2);
        assertThat(first.isDone()).isFalse();
        kernel.complete(cq, 1);
        assertThat(first.get()).isEqualTo(1);
        assertThat(channel.awaitEvent(Duration.ZERO)).isEmpty();
    }

    @Test
    void leavesTheEventThatTheUserRequestedToTheUser() throws Exception {
        CompletionQueue other = context.createCq(3, 0, channel);
        other.requestNotification(false);
        kernel.complete(other, 1);
        assertThat(cq.await(one, Duration.ofMillis(20))).isZero();
        assertThat(ReadinessSet.awaitAny(Duration.ZERO, channel)).containsExactly(channel);
        assertThat(channel.awaitEvent()).isSameAs(other);
        assertThat(channel.awaitEvent(Duration.ZERO)).isEmpty();
    }

    @Test
    void wakesTheUserWhoseEventAnotherThreadHasRead() throws Exception {
        CompletionQueue other = context.createCq(3, 0, channel);
        other.requestNotification(false);
        CountDownLatch sleeping = new CountDownLatch(1);
        kernel.beforePoll(sleeping::countDown);
        Future<CompletionQueue> user = Background.start(channel::awaitEvent);
        sleeping.await();
        Future<Long> waiter = asleep(cq);
        kernel.complete(other, 1);
        assertThat(user.get()).isSameAs(other);
        kernel.complete(cq, 2);
        assertThat(waiter.get()).isEqualTo(2);
    }

    @Test
    void aWaitForAnEventPollsAndReads() throws Exception {
        for (Duration limit : List.of(LIMIT, Duration.ofSeconds(Long.MAX_VALUE))) {
            cq.requestNotification(false);
            CountDownLatch sleeping = new CountDownLatch(1);
            kernel.beforePoll(sleeping::countDown);
            int before = kernel.calls();
            Future<Boolean> user =
                    Background.start(() -> channel.awaitEvent(limit).isPresent());
            sleeping.await();
            kernel.complete(cq, 1);
            assertThat(user.get()).isTrue();
            assertThat(kernel.calls() - before).as("poll, read").isEqualTo(2);
            cq.poll(one);
        }
        int before = kernel.calls();
        assertThat(channel.awaitEvent(Duration.ZERO)).isEmpty();
        assertThat(kernel.calls() - before).as("read").isEqualTo(1);
    }

    @Test
    void forgetsTheEventOfAQueueThatIsClosed() throws Exception {
        CompletionQueue other = context.createCq(3, 0, channel);
        other.requestNotification(false);
        kernel.complete(other, 1);
        assertThat(cq.await(one, Duration.ofMillis(20))).isZero();
        other.close();
        assertThat(channel.awaitEvent(Duration.ZERO)).isEmpty();
    }

    @Test
    void endsWhenAnotherSourceHasAnEvent() throws Exception {
        KernelFd fd = KernelFd.adopt(kernel.kernel(), kernel.eventfd(), "another source");
        Deadline deadline = Deadline.after(LIMIT);
        kernel.beforePoll(() -> assertThat(fd.use(kernel::eventfdSignal)).isZero());
        assertThat(cq.await(one, deadline, fd)).isZero();
        assertThat(deadline.expired()).isFalse();
        kernel.complete(cq, 6);
        assertThat(cq.await(one, deadline, fd)).as("completions come first").isEqualTo(1);
        kernel.beforePoll(fd::close);
        Pollable[] others = {fd};
        kernel.eventfdDrain(fd.use(number -> number));
        assertThatThrownBy(() -> cq.await(one, deadline, others))
                .isInstanceOf(ClosedWhileWaitingException.class)
                .hasMessageContaining("another source");
    }

    /** Four threads wait for two queues of one channel, and each completion reaches one of them. */
    @Test
    void losesNoCompletionAndNoThread() throws Exception {
        CompletionQueue other = context.createCq(3, 0, channel);
        int each = 2_000;
        ConcurrentLinkedQueue<Long> taken = new ConcurrentLinkedQueue<>();
        List<Future<Integer>> waiters = new ArrayList<>();
        for (CompletionQueue queue : List.of(cq, cq, other, other)) {
            waiters.add(Background.start(() -> take(queue, taken)));
        }
        for (long i = 0; i < each; i++) {
            offer(cq, i);
            offer(other, each + i);
        }
        for (CompletionQueue queue : List.of(cq, cq, other, other)) {
            offer(queue, -1);
        }
        for (Future<Integer> waiter : waiters) {
            waiter.get();
        }
        assertThat(taken.stream().sorted().toList())
                .isEqualTo(LongStream.range(0, 2L * each).boxed().toList());
    }

    @SuppressWarnings(
            "ThreadPriorityCheck") // the kernel of the test waits for room in the ring, which the waiting threads make
    private void offer(CompletionQueue queue, long wrId) {
        while (!kernel.complete(queue, wrId)) {
            Thread.yield();
        }
    }

    /** Takes completions until one says that it is enough. */
    private static int take(CompletionQueue queue, ConcurrentLinkedQueue<Long> taken) throws Exception {
        WorkCompletion[] into = WorkCompletion.array(1);
        queue.await(into);
        while (into[0].wrId() >= 0) {
            taken.add(into[0].wrId());
            queue.await(into);
        }
        return 0;
    }
}
