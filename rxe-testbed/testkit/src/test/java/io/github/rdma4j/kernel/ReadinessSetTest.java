// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.fd.Epoll;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.InterceptedSyscalls;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.support.Background;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting for sets of real descriptors (eventfds) by the epoll of the running kernel. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReadinessSetTest {
    private final Syscalls real = LinuxKernel.running().syscalls();
    private volatile CountDownLatch waits = new CountDownLatch(1);
    private final Kernel kernel = new LinuxKernel(
            InterceptedSyscalls.before("epollWait", real, () -> waits.countDown()), Path.of("/sys"), Path.of("/dev"));
    private final List<KernelFd> opened = new ArrayList<>();
    private ReadinessSet set;

    /** A source with events that its descriptor does not tell of. */
    private record Read(KernelFd descriptor, AtomicBoolean event) implements Pollable {
        @Override
        public boolean hasEvent() {
            return event.get();
        }
    }

    @BeforeEach
    void open() throws Exception {
        set = ReadinessSet.open(kernel);
    }

    @AfterEach
    void close() {
        set.close();
        opened.forEach(KernelFd::close);
    }

    private KernelFd event() {
        KernelFd fd = KernelFd.adopt(kernel, real.eventfd(), "event " + opened.size());
        opened.add(fd);
        return fd;
    }

    private KernelFd added() throws ErrnoException {
        KernelFd fd = event();
        set.add(fd);
        return fd;
    }

    private void signal(KernelFd fd) {
        assertThat(fd.use(real::eventfdSignal)).isZero();
    }

    private List<Pollable> now() throws Exception {
        return set.await(Duration.ZERO);
    }

    private Future<List<Pollable>> waitingThread() throws Exception {
        waits = new CountDownLatch(1);
        Future<List<Pollable>> waiter = Background.start(() -> set.await());
        waits.await();
        return waiter;
    }

    @Test
    void returnsASourceUntilItsEventIsTaken() throws Exception {
        KernelFd quiet = added();
        KernelFd fd = added();
        assertThat(now()).isEmpty();
        signal(fd);
        assertThat(now()).containsExactly(fd);
        assertThat(set.await()).containsExactly(fd);
        assertThat(fd.use(real::eventfdDrain)).isZero();
        assertThat(now()).isEmpty();
        signal(quiet);
        assertThat(now()).containsExactly(quiet);
    }

    @Test
    void givesUpWhenTheTimeIsOver() throws Exception {
        added();
        long start = System.nanoTime();
        assertThat(set.await(Duration.ofMillis(30))).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(30));
        assertThat(set.await(Duration.ofSeconds(-1))).isEmpty();
    }

    @Test
    void findsEachOfThousandSources() throws Exception {
        Set<Pollable> all = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            all.add(added());
        }
        signal(opened.get(217));
        assertThat(set.await()).containsExactly(opened.get(217));
        opened.forEach(this::signal);
        Set<Pollable> seen = new HashSet<>();
        while (seen.size() < all.size()) {
            List<Pollable> ready = set.await();
            assertThat(ready).isNotEmpty().doesNotHaveDuplicates();
            ready.forEach(each -> {
                seen.add(each);
                KernelFd.of(each).use(real::eventfdDrain);
            });
        }
        assertThat(seen).isEqualTo(all);
        assertThat(now()).isEmpty();
    }

    @Test
    void seesWhatIsAddedSignalledAndRemovedWhileItWaits() throws Exception {
        Future<List<Pollable>> waiter = waitingThread();
        KernelFd ready = event();
        signal(ready);
        set.add(ready);
        assertThat(waiter.get()).containsExactly(ready);

        assertThat(set.remove(ready)).isTrue();
        assertThat(set.remove(ready)).isFalse();
        KernelFd fd = added();
        waiter = waitingThread();
        assertThat(set.size()).isOne();
        signal(fd);
        assertThat(waiter.get()).containsExactly(fd);
    }

    @Test
    void aSourceCanComeBack() throws Exception {
        KernelFd fd = added();
        signal(fd);
        assertThat(set.remove(fd)).isTrue();
        assertThat(now()).isEmpty();
        set.add(fd);
        assertThat(now()).containsExactly(fd);
        assertThatThrownBy(() -> set.add(fd))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("already in the set");
        assertThat(now()).containsExactly(fd);
    }

    @Test
    void tellsOfEventsThatWereReadAlready() throws Exception {
        AtomicBoolean event = new AtomicBoolean(true);
        Read source = new Read(event(), event);
        set.add(source);
        assertThat(now()).containsExactly(source);
        assertThat(set.await()).containsExactly(source);
        event.set(false);
        assertThat(now()).isEmpty();

        Future<List<Pollable>> waiter = waitingThread();
        event.set(true);
        source.descriptor().wakeWaiters();
        assertThat(waiter.get()).containsExactly(source);
        signal(source.descriptor());
        assertThat(now()).as("told by both").containsExactly(source);
    }

    @Test
    void aSourceThatIsClosedIsReturnedOnceAndConcernsNoOther() throws Exception {
        KernelFd other = added();
        KernelFd fd = added();
        int number = fd.use(lent -> lent);
        Future<List<Pollable>> waiter = waitingThread();
        fd.close();
        assertThat(waiter.get()).containsExactly(fd);
        assertThat(real.eventfdDrain(number)).as("EBADF").isEqualTo(-9);
        assertThat(now()).isEmpty();
        assertThat(set.size()).isOne();
        signal(other);
        assertThat(now()).containsExactly(other);
    }

    @Test
    void aSourceThatIsClosedIsGoneForTheKernelThoughNobodyWaits() throws Exception {
        KernelFd fd = added();
        int number = fd.use(lent -> lent);
        fd.close();
        assertThat(real.eventfdDrain(number)).as("EBADF").isEqualTo(-9);
        KernelFd successor = event(); // most likely of the same number
        signal(successor);
        assertThat(now()).as("not the successor").containsExactly(fd);
        assertThat(now()).isEmpty();
    }

    @Test
    void aDescriptorThatSomebodyStillHoldsIsWatchedNoMore() throws Exception {
        KernelFd fd = added();
        signal(fd);
        KernelFd.Hold hold = fd.hold();
        fd.close();
        assertThat(set.await()).containsExactly(fd);
        AtomicInteger turns = new AtomicInteger();
        waits = new CountDownLatch(1) {
            @Override
            public void countDown() {
                turns.incrementAndGet();
            }
        };
        assertThat(set.await(Duration.ofMillis(50))).isEmpty();
        assertThat(turns.get()).as("a wait that does not spin").isLessThan(5);
        hold.release();
    }

    @Test
    void closingTheSetEndsTheWaitAndLeavesTheSources() throws Exception {
        KernelFd fd = added();
        Future<List<Pollable>> waiter = waitingThread();
        set.close();
        set.close();
        assertThatThrownBy(waiter::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(ClosedWhileWaitingException.class);
        signal(fd);
        assertThat(fd.awaitReadable(Deadline.never())).isTrue();
        assertThatThrownBy(this::now).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        assertThatThrownBy(this::added)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(set.size()).isZero();
        int number = fd.use(lent -> lent);
        fd.close();
        assertThat(real.eventfdDrain(number)).as("nobody kept it open").isEqualTo(-9);
    }

    @Test
    void anInterruptEndsTheWaitAndLosesNothing() throws Exception {
        KernelFd fd = added();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> set.await()).as("without an event").isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        fd.close();
        assertThatThrownBy(() -> set.await()).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(now()).containsExactly(fd);
        assertThat(now()).isEmpty();
    }

    @Test
    void aSignalOfTheProcessIsNoFailureOfAWait() throws Exception {
        Kernel signalled = new LinuxKernel(
                InterceptedSyscalls.instead("epollWait", real, -Errno.EINTR.number()),
                Path.of("/sys"),
                Path.of("/dev"));
        try (ReadinessSet other = ReadinessSet.open(signalled)) {
            assertThat(other.await(Duration.ofMillis(1))).isEmpty();
        }
    }

    @Test
    void oneThreadWaitsAtATime() throws Exception {
        KernelFd fd = added();
        Future<List<Pollable>> waiter = waitingThread();
        assertThatThrownBy(this::now)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another thread is already waiting");
        signal(fd);
        assertThat(waiter.get()).containsExactly(fd);
    }

    @Test
    void refusesWhatCannotBeAdded() throws Exception {
        KernelFd closed = event();
        closed.close();
        assertThatThrownBy(() -> set.add(closed)).isInstanceOf(IllegalStateException.class);
        KernelFd file = KernelFd.openToRead(kernel, "/proc/self/exe");
        opened.add(file);
        assertThatThrownBy(() -> set.add(file))
                .isInstanceOfSatisfying(
                        ErrnoException.class,
                        e -> assertThat(e.errno())
                                .as("epoll takes no plain file")
                                .isEqualTo(Errno.EPERM));
        int number = file.use(lent -> lent);
        file.close();
        assertThat(real.eventfdDrain(number)).as("nobody kept it open").isEqualTo(-9);
        assertThat(set.size()).isZero();
    }

    @Test
    void aRefusedSecondSourceOfADescriptorLeavesTheFirstInTheSet() throws Exception {
        KernelFd fd = added();
        Pollable second = () -> fd;
        assertThatThrownBy(() -> set.add(second))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(new Errno(17)));
        assertThat(set.remove(second)).isFalse();
        assertThat(set.size()).isOne();
        signal(fd);
        assertThat(now()).containsExactly(fd);
    }

    @Test
    void aSourceThatIsClosedWhileItIsAddedIsGoneForTheKernel() throws Exception {
        KernelFd later = event();
        AtomicInteger controls = new AtomicInteger();
        Kernel counting = new LinuxKernel(
                InterceptedSyscalls.after("epollControl", real, () -> {
                    if (controls.incrementAndGet() == 2) {
                        later.close();
                    }
                }),
                Path.of("/sys"),
                Path.of("/dev"));
        try (ReadinessSet other = ReadinessSet.open(counting)) {
            other.add(later);
            assertThat(controls).as("own eventfd, add, delete").hasValue(3);
            assertThat(other.await()).containsExactly(later);
            assertThat(other.size()).isZero();
        }
    }

    @Test
    void aSetThatCannotBeOpenedLeavesNoDescriptor() {
        AtomicInteger closed = new AtomicInteger();
        AtomicInteger made = new AtomicInteger();
        Syscalls refusing = InterceptedSyscalls.instead("epollControl", real, -Errno.ENOSPC.number());
        Kernel full = new LinuxKernel(
                InterceptedSyscalls.before(
                        "eventfd",
                        InterceptedSyscalls.before("close", refusing, closed::incrementAndGet),
                        made::incrementAndGet),
                Path.of("/sys"),
                Path.of("/dev"));
        assertThatThrownBy(() -> ReadinessSet.open(full)).hasMessageContaining("max_user_watches");
        assertThat(made).hasValue(1);
        assertThat(closed).as("the eventfd and the epoll descriptor").hasValue(2);
    }

    @Test
    void aKernelWithoutEpollIsNamed() {
        Kernel old = new LinuxKernel(
                InterceptedSyscalls.instead("epollCreate", real, -38), Path.of("/sys"), Path.of("/dev"));
        assertThatThrownBy(() -> ReadinessSet.open(old))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("ENOSYS")
                .hasMessageContaining("CONFIG_EPOLL: wait with ReadinessSet.awaitAny")
                .hasMessageNotContaining("ulimit");
        assertThatThrownBy(() -> Epoll.open(old))
                .as("sockets have no other way to wait")
                .hasMessageEndingWith("CONFIG_EPOLL");
    }

    @Test
    void threadsThatAddSignalAndCloseLoseNoEvent() throws Exception {
        int rounds = 2000;
        Future<Boolean> sources = Background.start(() -> {
            for (int i = 0; i < rounds; i++) {
                KernelFd fd = KernelFd.adopt(kernel, real.eventfd(), "event " + i);
                set.add(fd);
                if (i % 2 == 0) {
                    fd.use(real::eventfdSignal);
                }
                fd.close();
            }
            return true;
        });
        Set<Pollable> ended = new HashSet<>();
        while (ended.size() < rounds) {
            set.await().stream().filter(each -> each.descriptor().isClosed()).forEach(ended::add);
        }
        assertThat(sources.get()).isTrue();
        assertThat(set.size()).isZero();
        assertThat(now()).isEmpty();
    }
}
