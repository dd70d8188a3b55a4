// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

import io.github.rdma4j.internal.libc.PollPair;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.memory.IdlePool;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An eventfd that ends one thread's poll(2) early: {@link KernelFd#close()} signals it, and so does {@link
 * Thread#interrupt()}, which reaches a thread in native code only through the hook that {@link
 * AbstractInterruptibleChannel} offers.
 *
 * <p>At most {@value IdlePool#MAX_IDLE} unused eventfds are pooled; more are closed, so that a burst of waiting threads does
 * not occupy descriptors permanently. A close or an interrupt may signal late, after the wait has ended. A late signal
 * to a pooled eventfd causes a spurious wake-up, which every waiter has to expect anyway. A late signal to a closed
 * eventfd must not hit a reassigned descriptor number: {@link #signal()} enters the {@link KernelFd}, which delays
 * close(2) until the signal is sent. A signal to a closed eventfd is dropped, unless a thread still waits with it.
 */
public final class WakeUp implements Waiting {
    private static final int NAP_MILLIS = 10;

    private static final Map<Syscalls, IdlePool<WakeUp>> POOLS = new ConcurrentHashMap<>();

    private final Syscalls syscalls;

    /** Waiting thread only. */
    private final PollPair pollPair;

    /** Waiting thread only; valid until its first interrupt. */
    private InterruptHook hook = new InterruptHook(this);

    /** Null if there was no descriptor left. */
    private final @Nullable KernelFd eventfd;

    private WakeUp(Syscalls syscalls, PollPair pollPair, @Nullable KernelFd eventfd) {
        this.syscalls = syscalls;
        this.pollPair = pollPair;
        this.eventfd = eventfd;
    }

    /** A new eventfd, to be closed and not released. */
    public static WakeUp open(Kernel kernel) throws ErrnoException {
        return open(LinuxKernel.of(kernel).syscalls());
    }

    private static WakeUp open(Syscalls syscalls) throws ErrnoException {
        PollPair memoryFirst = syscalls.pollPair();
        return new WakeUp(syscalls, memoryFirst, EventFd.open(syscalls, "eventfd of a wait"));
    }

    /**
     * An eventfd of the pool, to be returned by {@link #release()}. If no descriptor is left for another eventfd, nothing ends the
     * poll(2) early: connections that exist go on, as those of TCP do, and {@link #limit} makes the poll(2) short.
     */
    public static WakeUp borrow(Syscalls syscalls) throws ErrnoException {
        WakeUp pooled = pool(syscalls).take();
        if (pooled != null) {
            return pooled;
        }
        try {
            return open(syscalls);
        } catch (ErrnoException e) {
            if (e.errno().equals(Errno.EMFILE) || e.errno().equals(Errno.ENFILE)) {
                return new WakeUp(syscalls, syscalls.pollPair(), null);
            }
            throw e;
        }
    }

    /** True if nothing ends a poll(2) early, for want of a descriptor. */
    boolean isDeaf() {
        return eventfd == null;
    }

    /** How many milliseconds a poll(2) may take that is to take {@code millis}, -1 for no limit. */
    public int limit(int millis) {
        return eventfd == null && (millis < 0 || millis > NAP_MILLIS) ? NAP_MILLIS : millis;
    }

    /**
     * Not drained: a leftover signal costs the next borrower one turn of its loop, a drain would cost every borrower a
     * call.
     */
    public void release() {
        if (eventfd == null || !pool(syscalls).put(this)) {
            close();
        }
    }

    public void close() {
        if (eventfd != null) {
            eventfd.close();
        }
    }

    /** Keeps the eventfd's number valid until {@link #leave()}, even if it is closed. */
    public void enter() {
        if (eventfd != null) {
            eventfd.enter();
        }
    }

    public void leave() {
        if (eventfd != null) {
            eventfd.leave();
        }
    }

    /** Waiting thread only, after {@link #enter()}. Without an eventfd -1, which poll(2) ignores. */
    public int number() {
        return eventfd == null ? -1 : eventfd.number();
    }

    /** Waiting thread only, after {@link #enter()}. */
    PollPair pollPair() {
        return pollPair;
    }

    @Override
    public void signal() {
        if (eventfd != null && eventfd.tryEnterToo()) {
            try {
                syscalls.eventfdSignal(eventfd.number());
            } finally {
                eventfd.leave();
            }
        }
    }

    public void drain() {
        if (eventfd != null) {
            syscalls.eventfdDrain(eventfd.number());
        }
    }

    /** Makes an interrupt of the calling thread signal this eventfd, until {@link InterruptHook#end()}. */
    public InterruptHook hookInterrupts() {
        if (!hook.isOpen()) {
            hook = new InterruptHook(this);
        }
        hook.arm();
        return hook;
    }

    private static IdlePool<WakeUp> pool(Syscalls syscalls) {
        return POOLS.computeIfAbsent(syscalls, key -> new IdlePool<>());
    }

    /** Serves consecutive waits until the first interrupt, which closes the JDK's channel. */
    public static final class InterruptHook extends AbstractInterruptibleChannel {
        private final WakeUp wakeUp;

        private InterruptHook(WakeUp wakeUp) {
            this.wakeUp = wakeUp;
        }

        private void arm() {
            begin();
        }

        /** Throws InterruptedException and clears the interrupt status if the thread was interrupted. */
        public void end() throws InterruptedException {
            try {
                end(true);
            } catch (ClosedByInterruptException interrupted) {
                Thread.interrupted();
                throw new InterruptedException();
            } catch (AsynchronousCloseException impossible) {
                throw new AssertionError("interrupt hooks cannot be closed from outside", impossible);
            }
        }

        @Override
        protected void implCloseChannel() {
            wakeUp.signal();
        }
    }
}
