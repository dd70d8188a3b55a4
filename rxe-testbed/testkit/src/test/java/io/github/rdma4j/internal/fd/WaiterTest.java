// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.libc.InterceptedSyscalls;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Background;
import io.github.rdma4j.testkit.ScriptedKernel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting with an eventfd of one's own. */
@Timeout(60)
class WaiterTest {
    private static final Deadline FOREVER = Deadline.never();
    private static final Path NOWHERE = Path.of("nowhere");

    private final Syscalls real = LinuxKernel.running().syscalls();
    private final CountDownLatch polling = new CountDownLatch(1);

    /** A kernel that has one eventfd to give, for the waiter, and no further one. */
    private final OneEventfd exhausted = new OneEventfd();

    private final Kernel kernel = new LinuxKernel(
            InterceptedSyscalls.before(
                    "poll", InterceptedSyscalls.before("eventfd", real, exhausted), polling::countDown),
            NOWHERE,
            NOWHERE);
    private final KernelFd event = KernelFd.adopt(kernel, real.eventfd(), "event");

    private static final class OneEventfd implements Runnable {
        private boolean given;

        @Override
        public void run() {
            if (given) {
                throw new IllegalStateException("no descriptor is left");
            }
            given = true;
        }
    }

    @AfterEach
    void close() {
        event.close();
    }

    @Test
    void aWaitTakesNoDescriptor() throws Exception {
        try (Waiter waiter = Waiter.open(kernel)) {
            assertThatThrownBy(() -> event.awaitReadable(FOREVER)).hasMessage("no descriptor is left");
            assertThat(waiter.awaitReadable(event, Deadline.after(Duration.ZERO)))
                    .isFalse();
            assertThat(event.use(real::eventfdSignal)).isZero();
            assertThat(waiter.awaitReadable(event, FOREVER)).isTrue();
            assertThat(waiter.await(() -> event)).hasSize(1);
        }
    }

    @Test
    void closingTheDescriptorWakesTheWaiter() throws Exception {
        try (Waiter waiter = Waiter.open(kernel)) {
            Future<Boolean> waiting = Background.start(() -> waiter.awaitReadable(event, FOREVER));
            polling.await();
            event.close();
            assertThatThrownBy(waiting::get).hasCauseExactlyInstanceOf(ClosedWhileWaitingException.class);
        }
    }

    @Test
    void anInterruptWakesTheWaiter() throws Exception {
        try (Waiter waiter = Waiter.open(kernel)) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> waiter.awaitReadable(event, FOREVER))
                    .isExactlyInstanceOf(InterruptedException.class);
        }
    }

    @Test
    void theSecondOfTwoThreadsTakesAPooledEventfd() throws Exception {
        KernelFd other = KernelFd.adopt(Kernel.running(), real.eventfd(), "other event");
        Kernel plain = new LinuxKernel(InterceptedSyscalls.before("poll", real, polling::countDown), NOWHERE, NOWHERE);
        try (Waiter waiter = Waiter.open(plain)) {
            Future<Boolean> first = Background.start(() -> waiter.awaitReadable(event, FOREVER));
            polling.await();
            assertThat(waiter.awaitReadable(other, Deadline.after(Duration.ZERO)))
                    .isFalse();
            assertThat(other.use(real::eventfdSignal)).isZero();
            assertThat(waiter.awaitReadable(other, FOREVER)).isTrue();
            assertThat(first.isDone()).isFalse();
            event.close();
            assertThatThrownBy(first::get).hasCauseExactlyInstanceOf(ClosedWhileWaitingException.class);
        } finally {
            other.close();
        }
    }

    private interface Wait {
        void by(Waiter waiter, KernelFd fd) throws Exception;
    }

    /** Waits on a kernel whose calls are those of a script, and closes the descriptor. */
    private static void scripted(ScriptedKernel syscalls, Wait wait) throws Exception {
        Kernel scripted = syscalls.expectClose(7).kernel(NOWHERE);
        try (KernelFd fd = KernelFd.adopt(scripted, 7, "thing");
                Waiter waiter = Waiter.open(scripted)) {
            wait.by(waiter, fd);
        }
        syscalls.assertAllConsumed();
    }

    @Test
    void triesAgainWhenTheKernelHasNoMemoryForAPoll() throws Exception {
        scripted(
                new ScriptedKernel()
                        .expectPollRefused(List.of(7), Errno.ENOMEM)
                        .expectPollRefused(List.of(7), Errno.ENOMEM)
                        .expectPoll(List.of(7), 7),
                (waiter, fd) -> assertThat(waiter.awaitReadable(fd, FOREVER)).isTrue());
    }

    @Test
    void triesNoLongerThanTheTimeLimit() throws Exception {
        scripted(
                new ScriptedKernel().expectPollRefused(List.of(7), Errno.ENOMEM),
                (waiter, fd) -> assertThat(waiter.awaitReadable(fd, Deadline.after(Duration.ZERO)))
                        .isFalse());
    }

    @Test
    void reportsAPollThatFailsForGood() throws Exception {
        scripted(
                new ScriptedKernel().expectPollRefused(List.of(7), Errno.EINVAL),
                (waiter, fd) -> assertThatThrownBy(() -> waiter.awaitReadable(fd, FOREVER))
                        .hasMessageStartingWith("poll: EINVAL"));
    }

    @Test
    void aWaitOfAWaiterThatWasClosedMeanwhileCanStillBeEnded() throws Exception {
        Waiter waiter = Waiter.open(kernel);
        Future<Boolean> waiting = Background.start(() -> waiter.awaitReadable(event, FOREVER));
        polling.await();
        waiter.close();
        event.close();
        assertThatThrownBy(waiting::get).hasCauseExactlyInstanceOf(ClosedWhileWaitingException.class);
        assertThatThrownBy(() -> waiter.awaitReadable(event, FOREVER)).hasMessageContaining("is closed");
    }

    @Test
    void anInterruptEndsTheWaitOfAWaiterThatWasClosedMeanwhile() throws Exception {
        Waiter waiter = Waiter.open(kernel);
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread waiting = new Thread(() -> {
            try {
                ended.complete(new AssertionError("ready: " + waiter.awaitReadable(event, FOREVER)));
            } catch (RdmaException | InterruptedException | RuntimeException e) {
                ended.complete(e);
            }
        });
        waiting.setDaemon(true);
        waiting.start();
        polling.await();
        waiter.close();
        waiting.interrupt();
        assertThat(ended.get()).isExactlyInstanceOf(InterruptedException.class);
    }

    @Test
    void aWaitNeedsASource() throws Exception {
        try (Waiter waiter = Waiter.open(kernel)) {
            assertThatThrownBy(waiter::await)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("nothing to wait for");
            assertThatThrownBy(() -> waiter.await(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void closingTheWaiterEndsNoWaitAndAllowsNoOther() throws Exception {
        Waiter waiter = Waiter.open(kernel);
        Future<Boolean> waiting = Background.start(() -> waiter.awaitReadable(event, FOREVER));
        polling.await();
        waiter.close();
        waiter.close();
        assertThatThrownBy(() -> waiter.awaitReadable(event, Deadline.after(Duration.ZERO)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
        assertThat(event.use(real::eventfdSignal)).isZero();
        assertThat(waiting.get()).isTrue();
    }
}
