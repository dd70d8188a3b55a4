// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import io.github.rdma4j.kernel.syscall.Syscalls;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Waiting for one of several descriptors to become readable, in a way that close and interrupt can end. A thread that waits
 * again and again may want a {@link Waiter}, which needs no descriptor at the time.
 */
public final class Readiness {
    private Readiness() {}

    /**
     * Waits until at least one of {@code sources} has an event.
     *
     * @param timeout the limit, or null for none; zero asks without waiting
     * @return those that have an event, in the order given; none when the time ran out
     * @throws ClosedWhileWaitingException when one of them was closed meanwhile
     * @throws InterruptedException when the thread was interrupted, before or while it waited
     */
    public static List<Pollable> await(@Nullable Duration timeout, Pollable... sources)
            throws RdmaException, InterruptedException {
        KernelFd[] fds = descriptors(sources);
        return ready(sources, await(fds[0].syscalls(), Deadline.after(timeout), fds));
    }

    static KernelFd[] descriptors(Pollable... sources) {
        if (sources.length == 0) {
            throw new IllegalArgumentException("nothing to wait for");
        }
        return Stream.of(sources).map(Pollable::descriptor).toArray(KernelFd[]::new);
    }

    static List<Pollable> ready(Pollable[] sources, boolean[] ready) {
        return IntStream.range(0, sources.length)
                .filter(i -> ready[i])
                .mapToObj(i -> sources[i])
                .toList();
    }

    static boolean[] await(Syscalls syscalls, Deadline deadline, KernelFd... fds)
            throws RdmaException, InterruptedException {
        WakeUp wakeUp = WakeUp.borrow(syscalls);
        try {
            return await(syscalls, deadline, wakeUp, fds);
        } finally {
            wakeUp.giveBack();
        }
    }

    /** Waits by an eventfd of the caller's. */
    static boolean[] await(Syscalls syscalls, Deadline deadline, WakeUp wakeUp, KernelFd... fds)
            throws RdmaException, InterruptedException {
        int entered = 0;
        try {
            for (KernelFd fd : fds) {
                fd.enter();
                entered++;
                fd.addWaiter(wakeUp);
            }
            return awaitHooked(syscalls, deadline, fds, wakeUp);
        } finally {
            for (int i = 0; i < entered; i++) {
                fds[i].removeWaiter(wakeUp);
                fds[i].leave();
            }
        }
    }

    private static boolean[] awaitHooked(Syscalls syscalls, Deadline deadline, KernelFd[] fds, WakeUp wakeUp)
            throws RdmaException, InterruptedException {
        boolean[] ready;
        WakeUp.InterruptHook hook = wakeUp.hookInterrupts();
        try {
            ready = poll(syscalls, deadline, fds, wakeUp);
        } finally {
            hook.end();
        }
        return ready;
    }

    private static boolean[] poll(Syscalls syscalls, Deadline deadline, KernelFd[] fds, WakeUp wakeUp)
            throws RdmaException {
        while (true) {
            // Here, after the waiter was added: a close before this is seen, a close after it signals the eventfd.
            for (KernelFd fd : fds) {
                if (fd.isClosed()) {
                    throw new ClosedWhileWaitingException(fd.name());
                }
            }
            int[] pollfds = pollfds(fds, wakeUp);
            int result = syscalls.poll(pollfds, deadline.pollMillis());
            if (result < 0 && result != -Errno.EINTR.number()) {
                throw new ErrnoException("poll", Errno.ofResult(result));
            }
            boolean[] ready = new boolean[fds.length];
            boolean any = result > 0 && collect(pollfds, ready);
            if (pollfds[2 * fds.length + 1] >>> 16 != 0) {
                // Before the questions that follow: a signal that comes after their answers must end the next poll.
                wakeUp.drain();
            }
            if (any || Thread.currentThread().isInterrupted() || deadline.expired()) {
                return ready;
            }
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
}
