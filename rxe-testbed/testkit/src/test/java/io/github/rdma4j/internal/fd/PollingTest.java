// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.github.rdma4j.internal.libc.InterceptedSyscalls;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Background;
import io.github.rdma4j.testkit.ScriptedKernel;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting on real descriptors (eventfds), ended in every way there is. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PollingTest {
    private static final Deadline FOREVER = Deadline.never();
    private static final Deadline NOT_AT_ALL = Deadline.after(Duration.ZERO);

    private static final long LIMIT = Duration.ofSeconds(30).toNanos();

    private final Syscalls real = LinuxKernel.running().syscalls();
    private final CountDownLatch polling = new CountDownLatch(1);
    private final AtomicInteger polls = new AtomicInteger();
    private final Kernel kernel =
            new LinuxKernel(InterceptedSyscalls.before("poll", real, this::polls), Path.of("/sys"), Path.of("/dev"));
    private final List<KernelFd> opened = new ArrayList<>();

    private record Source(KernelFd descriptor) implements Pollable {}

    private void polls() {
        polls.incrementAndGet();
        polling.countDown();
    }

    @AfterEach
    void closeAll() {
        opened.forEach(KernelFd::close);
    }

    private KernelFd open() {
        KernelFd fd = KernelFd.adopt(kernel, real.eventfd(), "event " + opened.size());
        opened.add(fd);
        return fd;
    }

    private void signal(KernelFd fd) {
        assertThat(fd.use(real::eventfdSignal)).isZero();
    }

    /** Descriptors of a kernel that has no more of them for a wait. */
    private KernelFd openLast() {
        Syscalls exhausted = InterceptedSyscalls.instead(
                "eventfd", InterceptedSyscalls.before("poll", real, this::polls), -Errno.EMFILE.number());
        KernelFd fd = KernelFd.adopt(
                new LinuxKernel(exhausted, Path.of("/sys"), Path.of("/dev")), real.eventfd(), "last " + opened.size());
        opened.add(fd);
        return fd;
    }

    @Test
    void withoutDescriptorsAWaitGoesOn() throws Exception {
        KernelFd fd = openLast();
        assertThat(fd.awaitReadable(NOT_AT_ALL)).isFalse();
        Await.Running<Boolean> waiting = Await.inThread(() -> fd.awaitReadable(FOREVER));
        polling.await();
        signal(fd);
        assertThat(waiting.result()).isTrue();
        assertThat(Polling.await(new Source(fd), new Source(openLast()))).hasSize(1);
    }

    @Test
    void withoutDescriptorsATimeoutIsNotShorter() throws Exception {
        KernelFd fd = openLast();
        long start = System.nanoTime();
        assertThat(Polling.awaitRoughly(new Source(fd), Duration.ofMillis(50).toNanos()))
                .isFalse();
        assertThat(fd.awaitReadable(Deadline.after(Duration.ofMillis(50)))).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
        assertThat(polls.get()).isGreaterThan(4);
    }

    @Test
    void withoutDescriptorsACloseAndAnInterruptEndAWait() throws Exception {
        KernelFd fd = openLast();
        Await.Running<Boolean> waiting = Await.inThread(() -> fd.awaitReadable(FOREVER));
        polling.await();
        fd.close();
        assertThat(waiting.failure()).isInstanceOf(ClosedWhileWaitingException.class);
        KernelFd other = openLast();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> other.awaitReadable(FOREVER)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void noticesDataThatIsAlreadyReadable() throws Exception {
        KernelFd fd = open();
        signal(fd);
        assertThat(fd.awaitReadable(FOREVER)).isTrue();
        assertThat(fd.awaitReadable(NOT_AT_ALL)).isTrue();
        assertThat(fd.awaitReadable(Deadline.after(Duration.ofDays(100_000_000_000L))))
                .isTrue();
    }

    @Test
    void waitsWithoutAClock() throws Exception {
        KernelFd fd = open();
        Source source = new Source(fd);
        long limit = Duration.ofMillis(30).toNanos();
        long start = System.nanoTime();
        assertThat(Polling.awaitRoughly(source, limit)).isFalse();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(limit);
        assertThat(Polling.awaitRoughly(source, 0)).isFalse();
        signal(fd);
        assertThat(Polling.awaitRoughly(source, limit)).isTrue();
        assertThat(Polling.awaitRoughly(source, Long.MAX_VALUE)).isTrue();
    }

    @Test
    void givesUpWhenTheTimeIsOver() throws Exception {
        KernelFd fd = open();
        assertThat(fd.awaitReadable(NOT_AT_ALL)).isFalse();
        assertThat(fd.awaitReadable(Deadline.after(Duration.ofSeconds(-1)))).isFalse();
        long start = System.nanoTime();
        assertThat(fd.awaitReadable(Deadline.after(Duration.ofMillis(30)))).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(30));
    }

    @Test
    void wakesUpForAnEvent() throws Exception {
        KernelFd fd = open();
        Future<Boolean> waiter = Background.start(() -> fd.awaitReadable(FOREVER));
        polling.await();
        signal(fd);
        assertThat(waiter.get()).isTrue();
    }

    @Test
    void tellsWhichOfManyIsReadable() throws Exception {
        for (int i = 0; i < 300; i++) {
            open();
        }
        signal(opened.get(217));
        List<Source> sources = opened.stream().map(Source::new).toList();
        List<Pollable> ready = Polling.await(sources.toArray(Pollable[]::new));
        assertThat(ready).containsExactly(sources.get(217));
    }

    @Test
    void returnsNothingWhenTheTimeIsOverForAll() throws Exception {
        assertThat(Polling.await(Duration.ZERO, new Source(open()), new Source(open())))
                .isEmpty();
    }

    @Test
    void refusesToWaitForNothing() {
        assertThatThrownBy(Polling::await).isInstanceOf(IllegalArgumentException.class);
    }

    /** The compiler allocates for the thread that it compiles for at times; what the code allocates, it allocates every time. */
    @Test
    void allocatesNothing() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        KernelFd fd = KernelFd.adopt(LinuxKernel.running(), real.eventfd(), "event of the kernel itself");
        opened.add(fd);
        signal(fd);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 10 && least > 0; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 1000; i++) {
                Polling.await(fd, System.nanoTime(), LIMIT);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).as("bytes of 1000 waits").isZero();
    }

    /**
     * The hook of an eventfd ends with its first interrupt, and the eventfd is used again. An interrupt comes when the thread polls:
     * JDK 17 loses an interrupt that comes while the thread sets the hook.
     */
    @Test
    void eachInterruptWakesTheWaiter() throws Exception {
        KernelFd fd = open();
        AtomicInteger before = new AtomicInteger();
        CountDownLatch interrupted = new CountDownLatch(3);
        Thread waiter = new Thread(() -> {
            while (interrupted.getCount() > 0) {
                try {
                    fd.awaitReadable(FOREVER);
                } catch (InterruptedException e) {
                    before.set(polls.get());
                    interrupted.countDown();
                } catch (RdmaException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        waiter.start();
        for (long left = 3; left > 0; left--) {
            long waits = left;
            Await.until("a wait after the last interrupt", () -> polls.get() > before.get());
            waiter.interrupt();
            Await.until("the interrupt", () -> interrupted.getCount() < waits);
        }
        waiter.join();
        assertThat(fd.awaitReadable(NOT_AT_ALL)).isFalse();
    }

    @Test
    void takesTheSameDescriptorTwice() throws Exception {
        KernelFd fd = open();
        signal(fd);
        Source source = new Source(fd);
        assertThat(Polling.await(source, source)).containsExactly(source, source);
    }

    @Test
    void closeWakesEveryWaiter() throws Exception {
        KernelFd fd = open();
        int number = fd.use(lent -> lent);
        CountDownLatch bothPoll = new CountDownLatch(2);
        Kernel counting = new LinuxKernel(
                InterceptedSyscalls.before("poll", real, bothPoll::countDown), Path.of("/sys"), Path.of("/dev"));
        KernelFd watched = KernelFd.adopt(counting, number, "watched");
        List<Future<Boolean>> waiters = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            waiters.add(Background.start(() -> watched.awaitReadable(FOREVER)));
        }
        bothPoll.await();
        watched.close();
        for (Future<Boolean> waiter : waiters) {
            assertThatThrownBy(waiter::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseExactlyInstanceOf(ClosedWhileWaitingException.class)
                    .hasMessageContaining("watched was closed by another thread");
        }
        opened.clear();
        assertThat(real.eventfdDrain(number)).as("the number is closed").isEqualTo(-9);
    }

    @Test
    void closeOfOneOfSeveralWakesTheWaiter() throws Exception {
        KernelFd first = open();
        KernelFd second = open();
        Future<List<Pollable>> waiter = Background.start(() -> Polling.await(new Source(first), new Source(second)));
        polling.await();
        second.close();
        assertThatThrownBy(waiter::get)
                .hasCauseInstanceOf(ClosedWhileWaitingException.class)
                .hasMessageContaining("event 1");
        assertThat(first.isClosed()).isFalse();
        assertThat(first.awaitReadable(NOT_AT_ALL)).isFalse();
    }

    @Test
    void aThreadInterruptedBeforeDoesNotWait() {
        KernelFd fd = open();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> fd.awaitReadable(FOREVER)).isExactlyInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> fd.awaitReadable(NOT_AT_ALL)).isExactlyInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Polling.await(fd, open())).isExactlyInstanceOf(InterruptedException.class);
    }

    /** A wake-up for nothing, and the interrupt just before the waiter takes the signal out of its eventfd. */
    @Test
    void anInterruptWhileTheSignalIsTakenIsNotLost() throws Exception {
        Thread waiter = Thread.currentThread();
        Runnable interrupt = () -> interruptFromOutside(waiter);
        Kernel interrupting = new LinuxKernel(
                InterceptedSyscalls.before("eventfdDrain", real, interrupt), Path.of("/sys"), Path.of("/dev"));
        leaveStaleSignal(interrupting);
        try (KernelFd fd = KernelFd.adopt(interrupting, real.eventfd(), "event")) {
            assertThatThrownBy(() -> fd.awaitReadable(FOREVER)).isExactlyInstanceOf(InterruptedException.class);
        }
        assertThat(Thread.interrupted()).isFalse();
    }

    /** Not by the thread itself: that would not reach the hook. */
    private static void interruptFromOutside(Thread waiter) {
        Future<Boolean> interrupted = Background.start(() -> {
            waiter.interrupt();
            return true;
        });
        while (!interrupted.isDone()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aStaleSignalDoesNotEndTheWait() throws Exception {
        leaveStaleSignal(kernel);
        assertThat(open().awaitReadable(Deadline.after(Duration.ofMillis(20)))).isFalse();
    }

    private static void leaveStaleSignal(Kernel kernel) throws ErrnoException {
        WakeUp wakeUp = WakeUp.borrow(LinuxKernel.of(kernel).syscalls());
        wakeUp.signal();
        wakeUp.release();
    }

    @Test
    void waitsOnAfterASignalForNothing() throws Exception {
        ScriptedKernel syscalls = new ScriptedKernel()
                .expectPoll(List.of(7))
                .expectPollRefused(List.of(7), Errno.EINTR)
                .expectPoll(List.of(7), 7)
                .expectClose(7);
        try (KernelFd fd = KernelFd.adopt(syscalls.kernel(Path.of("nowhere")), 7, "thing")) {
            assertThat(fd.awaitReadable(FOREVER)).isTrue();
        }
        syscalls.assertAllConsumed();
    }

    @Test
    void reportsAPollThatFails() {
        ScriptedKernel syscalls =
                new ScriptedKernel().expectPollRefused(List.of(7), Errno.ENOMEM).expectClose(7);
        try (KernelFd fd = KernelFd.adopt(syscalls.kernel(Path.of("nowhere")), 7, "thing")) {
            assertThatThrownBy(() -> fd.awaitReadable(FOREVER)).hasMessage("poll: ENOMEM (12) Cannot allocate memory");
        }
        syscalls.assertAllConsumed();
    }
}
