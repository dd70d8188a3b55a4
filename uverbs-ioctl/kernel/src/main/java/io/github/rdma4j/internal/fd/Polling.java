// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

import io.github.rdma4j.internal.libc.PollPair;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Waits by poll(2) until one of several descriptors is readable; closing a descriptor or interrupting the thread ends
 * the wait. A wait borrows an eventfd; a {@link Waiter} owns an eventfd.
 */
public final class Polling {
    static final long NANOS_PER_MILLI = 1_000_000;

    private Polling() {}

    /**
     * Waits until at least one of {@code sources} has an event.
     *
     * @param timeout the limit; zero checks without waiting
     * @return the sources that have an event, in the order given; empty after the timeout
     * @throws ClosedWhileWaitingException if one of the sources is closed meanwhile
     * @throws InterruptedException if the thread is interrupted before or during the wait
     * @throws IllegalStateException if one of the sources is already closed
     * @throws IllegalArgumentException when there are no sources
     */
    public static List<Pollable> await(Duration timeout, Pollable... sources)
            throws RdmaException, InterruptedException {
        return ready(sources, awaitAny(Deadline.after(timeout), sources));
    }

    /** Like {@link #await(Duration, Pollable...)}, without a time limit. */
    public static List<Pollable> await(Pollable... sources) throws RdmaException, InterruptedException {
        return ready(sources, awaitAny(Deadline.never(), sources));
    }

    /** Like {@link #await(Duration, Pollable...)}, for one source: false after the timeout. */
    public static boolean await(Pollable source, Deadline deadline) throws RdmaException, InterruptedException {
        long limit = deadline.remainingNanos();
        return await(source, limit == Long.MAX_VALUE ? 0 : System.nanoTime(), limit);
    }

    /**
     * Like {@link #await(Pollable, Deadline)}, but without a deadline object: allocates nothing unless the thread is
     * interrupted.
     *
     * @param now the caller's latest {@link System#nanoTime()}; unused without a limit
     * @param limit nanoseconds from {@code now}; {@link Long#MAX_VALUE} for no limit
     */
    public static boolean await(Pollable source, long now, long limit) throws RdmaException, InterruptedException {
        return await(source, now, limit, false);
    }

    /**
     * Like {@link #await(Pollable, long, long)}, but does not read the clock, which is a system call on some machines:
     * a wake-up without an event restarts the timeout.
     */
    public static boolean awaitRoughly(Pollable source, long limit) throws RdmaException, InterruptedException {
        return await(source, 0, limit, true);
    }

    private static boolean await(Pollable source, long now, long limit, boolean roughly)
            throws RdmaException, InterruptedException {
        WakeUp wakeUp = WakeUp.borrow(KernelFd.of(source).syscalls());
        try {
            // Without an eventfd the timeout is in pieces.
            return (wakeUp.isDeaf() && roughly)
                    ? awaitOne(source, wakeUp, System.nanoTime(), limit, false)
                    : awaitOne(source, wakeUp, now, limit, roughly);
        } finally {
            wakeUp.release();
        }
    }

    private static boolean awaitOne(Pollable source, WakeUp wakeUp, long now, long limit, boolean roughly)
            throws RdmaException, InterruptedException {
        KernelFd fd = KernelFd.of(source);
        fd.enter();
        try {
            fd.addWaiter(wakeUp);
            WakeUp.InterruptHook hook = null;
            try {
                hook = wakeUp.hookInterrupts();
                return pollOne(source, wakeUp, now, limit, roughly);
            } finally {
                fd.removeWaiter(wakeUp);
                if (hook != null) {
                    hook.end();
                }
            }
        } finally {
            fd.leave();
        }
    }

    /** Steps of {@link #poll}. Reads the clock, a system call on some machines, only if the wait continues. */
    private static boolean pollOne(Pollable source, WakeUp wakeUp, long now, long limit, boolean roughly)
            throws RdmaException {
        KernelFd fd = KernelFd.of(source);
        PollPair pair = wakeUp.pollPair();
        long left = limit;
        while (true) {
            if (fd.isClosed()) {
                throw new ClosedWhileWaitingException(fd.name());
            }
            boolean event = source.hasEvent();
            int result = pair.poll(fd.number(), wakeUp.number(), event ? 0 : wakeUp.limit(millis(left)));
            if (result < 0 && result != -Errno.EINTR.number()) {
                throw new ErrnoException("poll", Errno.ofResult(result));
            }
            event |= result > 0 && pair.firstReady();
            if (result > 0 && pair.secondReady()) {
                wakeUp.drain();
            }
            if (event || Thread.currentThread().isInterrupted()) {
                return event;
            }
            if (roughly) {
                if (result == 0) {
                    return false;
                }
            } else if (limit != Long.MAX_VALUE) {
                left = limit - (System.nanoTime() - now);
                if (left <= 0) {
                    return false;
                }
            }
        }
    }

    static List<Pollable> ready(Pollable[] sources, boolean[] ready) {
        List<Pollable> found = new ArrayList<>(sources.length);
        for (int i = 0; i < sources.length; i++) {
            if (ready[i]) {
                found.add(sources[i]);
            }
        }
        return found;
    }

    static boolean[] awaitAny(Deadline deadline, Pollable... sources) throws RdmaException, InterruptedException {
        requireSome(sources);
        WakeUp wakeUp = WakeUp.borrow(KernelFd.of(sources[0]).syscalls());
        try {
            return awaitAny(deadline, wakeUp, sources);
        } finally {
            wakeUp.release();
        }
    }

    private static void requireSome(Pollable... sources) {
        if (sources.length == 0) {
            throw new IllegalArgumentException("nothing to wait for");
        }
    }

    /** Waits with the caller's eventfd. */
    static boolean[] awaitAny(Deadline deadline, WakeUp wakeUp, Pollable... sources)
            throws RdmaException, InterruptedException {
        requireSome(sources);
        KernelFd[] fds = new KernelFd[sources.length];
        for (int i = 0; i < fds.length; i++) {
            fds[i] = KernelFd.of(sources[i]);
        }
        int entered = 0;
        try {
            for (KernelFd fd : fds) {
                fd.enter();
                entered++;
                fd.addWaiter(wakeUp);
            }
            return awaitHooked(deadline, sources, fds, wakeUp);
        } finally {
            for (int i = 0; i < entered; i++) {
                fds[i].removeWaiter(wakeUp);
                fds[i].leave();
            }
        }
    }

    private static boolean[] awaitHooked(Deadline deadline, Pollable[] sources, KernelFd[] fds, WakeUp wakeUp)
            throws RdmaException, InterruptedException {
        boolean[] ready;
        WakeUp.InterruptHook hook = wakeUp.hookInterrupts();
        try {
            ready = poll(deadline, sources, fds, wakeUp);
        } finally {
            hook.end();
        }
        return ready;
    }

    private static boolean[] poll(Deadline deadline, Pollable[] sources, KernelFd[] fds, WakeUp wakeUp)
            throws RdmaException {
        Syscalls syscalls = fds[0].syscalls();
        for (boolean asked = false; ; asked = true) {
            // Checked after the waiter is registered: an earlier close is seen here, a later close signals the eventfd.
            for (KernelFd fd : fds) {
                if (fd.isClosed()) {
                    throw new ClosedWhileWaitingException(fd.name());
                }
            }
            boolean[] ready = new boolean[fds.length];
            boolean any = collectRead(sources, ready);
            if (any && asked) {
                return ready; // the last poll(2) already checked the descriptors
            }
            int[] pollfds = pollfds(fds, wakeUp);
            int result = syscalls.poll(pollfds, any ? 0 : wakeUp.limit(millis(deadline)));
            if (result < 0 && result != -Errno.EINTR.number()) {
                throw new ErrnoException("poll", Errno.ofResult(result));
            }
            any |= result > 0 && collect(pollfds, ready);
            if (pollfds[2 * fds.length + 1] >>> 16 != 0) {
                // Drained before the checks below: a signal that comes after the checks must end the next poll.
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

    /** Marks the sources whose events have already been read from the descriptor. */
    private static boolean collectRead(Pollable[] sources, boolean[] ready) {
        boolean any = false;
        for (int i = 0; i < ready.length; i++) {
            ready[i] = sources[i].hasEvent();
            any |= ready[i];
        }
        return any;
    }

    /** An error counts as readable: the following read reports it. */
    private static boolean collect(int[] pollfds, boolean[] ready) {
        boolean any = false;
        for (int i = 0; i < ready.length; i++) {
            ready[i] |= pollfds[2 * i + 1] >>> 16 != 0;
            any |= ready[i];
        }
        return any;
    }

    /** The remaining time as poll(2) takes it: milliseconds, rounded up; -1 for no limit. */
    public static int millis(Deadline deadline) {
        return millis(deadline.remainingNanos());
    }

    private static int millis(long left) {
        if (left == Long.MAX_VALUE) {
            return -1;
        }
        long millis = left <= 0 ? 0 : left / NANOS_PER_MILLI + (left % NANOS_PER_MILLI == 0 ? 0 : 1);
        return (int) Math.min(millis, Integer.MAX_VALUE);
    }
}
