// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Waits as {@link Polling} does, but owns the eventfd that a wait needs. For a thread that waits repeatedly and must
 * survive a temporary lack of descriptors or kernel memory: if poll(2) fails for that reason, the waiter retries until
 * the timeout.
 *
 * <p>Safe for use by several threads; one thread at a time uses the waiter's own eventfd, further threads borrow pooled
 * eventfds. Close the waiter after the last wait.
 *
 * <pre>{@code
 * try (Waiter waiter = Waiter.open(kernel)) {
 *     while (!stopping) {
 *         List<Pollable> ready = waiter.await(channel, signal);
 *         ...
 *     }
 * }
 * }</pre>
 */
public final class Waiter implements AutoCloseable {
    private static final Set<Errno> PASSING = Set.of(Errno.ENOMEM, Errno.ENFILE, Errno.EMFILE);
    private static final long FIRST_PAUSE_MILLIS = 1;
    private static final long LONGEST_PAUSE_MILLIS = 100;

    private final WakeUp own;

    /** True while a thread uses the waiter's own eventfd. */
    private final AtomicBoolean taken = new AtomicBoolean();

    private Waiter(WakeUp own) {
        this.own = own;
    }

    /**
     * A waiter for descriptors of {@code kernel}.
     *
     * @throws ErrnoException EMFILE or ENFILE if no descriptor is available
     */
    public static Waiter open(Kernel kernel) throws ErrnoException {
        return new Waiter(WakeUp.open(kernel));
    }

    /**
     * Waits until at least one of {@code sources} has an event, as {@link Polling#await} does.
     *
     * @param timeout the limit; zero checks without waiting
     * @return the sources that have an event, in the order given; empty after the timeout
     * @throws ClosedWhileWaitingException if one of the sources is closed meanwhile
     * @throws InterruptedException if the thread is interrupted before or during the wait
     * @throws IllegalStateException if the waiter or one of the sources is already closed
     * @throws IllegalArgumentException when there are no sources
     */
    public List<Pollable> await(Duration timeout, Pollable... sources) throws RdmaException, InterruptedException {
        return Polling.ready(sources, awaitAny(Deadline.after(timeout), sources));
    }

    /** Like {@link #await(Duration, Pollable...)}, without a time limit. */
    public List<Pollable> await(Pollable... sources) throws RdmaException, InterruptedException {
        return Polling.ready(sources, awaitAny(Deadline.never(), sources));
    }

    /**
     * Like {@link #await(Duration, Pollable...)}, for one source, which may be a descriptor: false after the timeout.
     */
    public boolean awaitReadable(Pollable source, Deadline deadline) throws RdmaException, InterruptedException {
        return awaitAny(deadline, source)[0];
    }

    private boolean[] awaitAny(Deadline deadline, Pollable... sources) throws RdmaException, InterruptedException {
        long pause = FIRST_PAUSE_MILLIS;
        while (true) {
            try {
                return awaitOnce(deadline, sources);
            } catch (ErrnoException e) {
                if (!PASSING.contains(e.errno())) {
                    throw e;
                }
            }
            long left = deadline.remainingNanos() / Polling.NANOS_PER_MILLI;
            if (left == 0) {
                return new boolean[sources.length];
            }
            Thread.sleep(Math.min(pause, left));
            pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        }
    }

    private boolean[] awaitOnce(Deadline deadline, Pollable... sources) throws RdmaException, InterruptedException {
        // Entered, so that the number stays valid if the waiter is closed during the wait.
        own.enter();
        try {
            if (!taken.compareAndSet(false, true)) {
                return Polling.awaitAny(deadline, sources);
            }
            try {
                return Polling.awaitAny(deadline, own, sources);
            } finally {
                taken.set(false);
            }
        } finally {
            own.leave();
        }
    }

    /**
     * Gives the eventfd back to the system. A wait in progress continues, and still ends when the thread is interrupted
     * or a source is closed; later waits throw. Idempotent.
     */
    @Override
    public void close() {
        own.close();
    }
}
