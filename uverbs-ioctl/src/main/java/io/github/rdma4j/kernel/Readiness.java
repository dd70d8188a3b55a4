// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import io.github.rdma4j.kernel.syscall.Syscalls;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Waiting for one of several descriptors to become readable, in a way that close and interrupt can end. */
public final class Readiness {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private Readiness() {}

    /**
     * Waits until at least one of {@code fds} is readable.
     *
     * @param timeout the limit, or null for none; zero asks without waiting
     * @return for each descriptor whether it is readable; none is when the time ran out
     * @throws ClosedWhileWaitingException when one of them was closed meanwhile
     * @throws InterruptedException when the thread was interrupted, before or while it waited
     */
    public static boolean[] await(Kernel kernel, @Nullable Duration timeout, List<KernelFd> fds)
            throws RdmaException, InterruptedException {
        return await(kernel.syscalls(), timeout, fds.toArray(KernelFd[]::new));
    }

    static boolean[] await(Syscalls syscalls, @Nullable Duration timeout, KernelFd... fds)
            throws RdmaException, InterruptedException {
        WakeUp wakeUp = WakeUp.borrow(syscalls);
        int entered = 0;
        try {
            for (KernelFd fd : fds) {
                fd.enter();
                entered++;
                fd.addWaiter(wakeUp);
            }
            return awaitHooked(syscalls, timeout, fds, wakeUp);
        } finally {
            for (int i = 0; i < entered; i++) {
                fds[i].removeWaiter(wakeUp);
                fds[i].leave();
            }
            wakeUp.giveBack();
        }
    }

    private static boolean[] awaitHooked(
            Syscalls syscalls, @Nullable Duration timeout, KernelFd[] fds, WakeUp wakeUp)
            throws RdmaException, InterruptedException {
        boolean[] ready;
        WakeUp.InterruptHook hook = wakeUp.hookInterrupts();
        try {
            ready = poll(syscalls, timeout, fds, wakeUp);
        } finally {
            hook.end();
        }
        return ready;
    }

    private static boolean[] poll(Syscalls syscalls, @Nullable Duration timeout, KernelFd[] fds, WakeUp wakeUp)
            throws RdmaException {
        long start = System.nanoTime();
        while (true) {
            // Here, after the waiter was added: a close before this is seen, a close after it signals the eventfd.
            for (KernelFd fd : fds) {
                if (fd.isClosed()) {
                    throw new ClosedWhileWaitingException(fd.name());
                }
            }
            int[] pollfds = pollfds(fds, wakeUp);
            int result = syscalls.poll(pollfds, remainingMillis(timeout, start));
            if (result < 0 && result != -Errno.EINTR.number()) {
                throw new ErrnoException("poll", Errno.ofResult(result));
            }
            boolean[] ready = new boolean[fds.length];
            boolean any = result > 0 && collect(pollfds, ready);
            if (any || Thread.currentThread().isInterrupted() || expired(timeout, start)) {
                return ready;
            }
            wakeUp.drain();
        }
    }

    private static int[] pollfds(KernelFd[] fds, WakeUp wakeUp) {
        int[] pollfds = new int[2 * (fds.length + 1)];
        for (int i = 0; i < fds.length; i++) {
            pollfds[2 * i] = fds[i].number();
            pollfds[2 * i + 1] = Syscalls.POLLIN;
        }
        pollfds[2 * fds.length] = wakeUp.number();
        pollfds[2 * fds.length + 1] = Syscalls.POLLIN;
        return pollfds;
    }

    /** An error counts as readable: the read that follows says what is wrong. */
    private static boolean collect(int[] pollfds, boolean[] ready) {
        boolean any = false;
        for (int i = 0; i < ready.length; i++) {
            ready[i] = pollfds[2 * i + 1] >>> 16 != 0;
            any |= ready[i];
        }
        return any;
    }

    private static int remainingMillis(@Nullable Duration timeout, long start) {
        if (timeout == null) {
            return -1;
        }
        long left = nanos(timeout) - (System.nanoTime() - start);
        long millis = left <= 0 ? 0 : left / NANOS_PER_MILLI + (left % NANOS_PER_MILLI == 0 ? 0 : 1);
        return (int) Math.min(millis, Integer.MAX_VALUE);
    }

    private static boolean expired(@Nullable Duration timeout, long start) {
        return timeout != null && System.nanoTime() - start >= nanos(timeout);
    }

    private static long nanos(Duration timeout) {
        try {
            return Math.max(0, timeout.toNanos());
        } catch (ArithmeticException centuries) {
            return Long.MAX_VALUE;
        }
    }
}
