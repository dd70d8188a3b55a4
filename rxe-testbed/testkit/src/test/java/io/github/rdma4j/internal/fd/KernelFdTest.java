// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

import static io.github.rdma4j.testkit.ScriptedKernel.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.support.Background;
import io.github.rdma4j.testkit.ScriptedKernel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KernelFdTest {
    private static final Path NOWHERE = Path.of("nowhere");

    private final ScriptedKernel syscalls = new ScriptedKernel();
    private final Kernel kernel = syscalls.kernel(NOWHERE);

    @Test
    void opensWithCloseOnExec() throws Exception {
        int[] seen = new int[1];
        Syscalls real = LinuxKernel.running().syscalls();
        Syscalls recording = (Syscalls) java.lang.reflect.Proxy.newProxyInstance(
                Syscalls.class.getClassLoader(), new Class<?>[] {Syscalls.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("open")) {
                        seen[0] = (int) arguments[1];
                    }
                    return method.invoke(real, arguments);
                });
        KernelFd.open(new LinuxKernel(recording, NOWHERE, NOWHERE), "/dev/null").close();
        assertThat(seen[0]).isEqualTo(Syscalls.O_RDWR | Syscalls.O_CLOEXEC);
    }

    @Test
    void namesPathAndNumberWhenOpenFails() {
        syscalls.expectOpen("/dev/infiniband/uverbs0", refused(Errno.EACCES));
        assertThatThrownBy(() -> KernelFd.open(kernel, "/dev/infiniband/uverbs0"))
                .isInstanceOfSatisfying(ErrnoException.class, failure -> {
                    assertThat(failure.errno()).isEqualTo(Errno.EACCES);
                    assertThat(failure.operation()).isEqualTo("open /dev/infiniband/uverbs0");
                })
                .hasMessage("open /dev/infiniband/uverbs0: EACCES (13) Permission denied");
    }

    @Test
    void rejectsAnInvalidNumber() {
        assertThatThrownBy(() -> KernelFd.adopt(kernel, -22, "completion channel"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-22")
                .hasMessageContaining("completion channel");
    }

    @Test
    void passesCallsOn() throws Exception {
        syscalls.expectIoctl(7, 3, address -> (int) address + 1)
                .expectWrite(7, -5)
                .expectRead(7, 12)
                .expectNonBlocking(7)
                .expectClose(7);
        try (KernelFd fd = KernelFd.adopt(kernel, 7, "thing")) {
            assertThat(fd.ioctl(3, 40)).isEqualTo(41);
            assertThat(fd.write(0x1000, 4)).isEqualTo(-5);
            assertThat(fd.read(0x1000, 4)).isEqualTo(12);
            fd.setNonBlocking();
            assertThat(fd.name()).isEqualTo("thing");
            assertThat(fd).hasToString("thing");
        }
        syscalls.assertAllConsumed();
    }

    @Test
    void closesOnce() {
        syscalls.expectClose(7);
        KernelFd fd = KernelFd.adopt(kernel, 7, "thing");
        fd.close();
        fd.close();
        assertThat(fd.isClosed()).isTrue();
        assertThat(fd).hasToString("thing (closed)");
        syscalls.assertAllConsumed();
    }

    @Test
    void closesTheNumberWhenTheLastCallReturns() throws Exception {
        syscalls.expectClose(7);
        KernelFd fd = KernelFd.adopt(kernel, 7, "thing");
        CountDownLatch inFlight = new CountDownLatch(2);
        CountDownLatch mayReturn = new CountDownLatch(1);
        CountDownLatch mayReturnLast = new CountDownLatch(1);
        Future<Integer> first = Background.start(() -> hold(fd, inFlight, mayReturn));
        Future<Integer> last = Background.start(() -> hold(fd, inFlight, mayReturnLast));
        inFlight.await();

        fd.close();
        assertThat(syscalls.remaining()).isEqualTo(1);
        mayReturn.countDown();
        first.get();
        assertThat(syscalls.remaining()).isEqualTo(1);
        mayReturnLast.countDown();
        assertThat(last.get()).isEqualTo(7);
        syscalls.assertAllConsumed();
    }

    private static int hold(KernelFd fd, CountDownLatch inFlight, CountDownLatch mayReturn) {
        return fd.use(number -> {
            inFlight.countDown();
            try {
                mayReturn.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return number;
        });
    }

    @Test
    void staysOpenInTheKernelUntilItsLastUserReleasesIt() {
        KernelFd fd = KernelFd.adopt(kernel, 7, "thing");
        KernelFd.Hold first = fd.hold();
        KernelFd.Hold second = fd.hold();
        fd.close();
        assertThat(fd.isClosed()).isTrue();
        assertThat(first.number()).isEqualTo(7);
        assertThat(first.isOf(fd)).isTrue();
        first.release();
        first.release();
        syscalls.expectClose(7);
        second.release();
        syscalls.assertAllConsumed();
        assertClosed(fd::hold);
    }

    @Test
    void mayBeClosedInsideAUse() {
        syscalls.expectClose(7);
        KernelFd fd = KernelFd.adopt(kernel, 7, "thing");
        fd.use(number -> {
            fd.close();
            assertThat(syscalls.remaining()).isEqualTo(1);
            return number;
        });
        syscalls.assertAllConsumed();
    }

    @Test
    void givesTheNumberBackWhenAUseThrows() {
        syscalls.expectClose(7);
        KernelFd fd = KernelFd.adopt(kernel, 7, "thing");
        assertThatThrownBy(() -> fd.use(number -> {
                    throw new IllegalArgumentException("of the caller");
                }))
                .hasMessage("of the caller");
        fd.close();
        syscalls.assertAllConsumed();
    }

    @Test
    void useAfterClose() {
        syscalls.expectClose(7);
        KernelFd fd = KernelFd.adopt(kernel, 7, "thing");
        fd.close();
        List<ThrowingCallable> uses = List.of(
                () -> fd.use(number -> number),
                () -> fd.ioctl(1, 2),
                () -> fd.write(1, 2),
                () -> fd.read(1, 2),
                fd::setNonBlocking,
                () -> fd.awaitReadable(Deadline.never()),
                () -> fd.awaitReadable(Deadline.after(Duration.ZERO)),
                () -> Polling.await(() -> fd));
        for (ThrowingCallable use : uses) {
            assertClosed(use);
            assertClosed(() -> inAnotherThread(use));
        }
        syscalls.assertAllConsumed();
    }

    private static void assertClosed(ThrowingCallable use) {
        assertThatThrownBy(use).isExactlyInstanceOf(IllegalStateException.class).hasMessage("thing is closed");
    }

    private static void inAnotherThread(ThrowingCallable use) throws Throwable {
        Future<Boolean> done = Background.start(() -> {
            try {
                use.call();
                return true;
            } catch (Error | Exception e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        });
        try {
            done.get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }
}
