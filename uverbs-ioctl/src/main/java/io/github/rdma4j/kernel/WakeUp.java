// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import io.github.rdma4j.internal.syscall.Syscalls;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An eventfd that ends one thread's poll(2) early: {@link KernelFd#close()} signals it, and so does
 * {@link Thread#interrupt()}, which reaches a thread in native code only through the hook that
 * {@link AbstractInterruptibleChannel} offers.
 *
 * <p>Eventfds of waits that are over are kept for the next ones, {@value #MAX_IDLE} of them at most; more are closed, so
 * that a moment with many waiting threads does not cost descriptors for ever. Whoever has closed a descriptor or
 * interrupted a thread may signal late, when the wait is over. A late signal to a pooled eventfd wakes its next user for
 * nothing, which every waiter has to expect anyway. A late signal to a closed one must not hit a descriptor number that is
 * someone else's by now: {@link #signal()} enters the {@link KernelFd} as every call does, which a closed one refuses, and
 * which puts close(2) off until the signal has been given.
 */
final class WakeUp implements Waiting {
    static final int MAX_IDLE = 64;

    private static final Map<Syscalls, Pool> POOLS = new ConcurrentHashMap<>();

    private final Syscalls syscalls;
    private final KernelFd eventfd;

    private WakeUp(Syscalls syscalls, KernelFd eventfd) {
        this.syscalls = syscalls;
        this.eventfd = eventfd;
    }

    /** One that is not to be given back, but closed. */
    static WakeUp open(Syscalls syscalls) throws ErrnoException {
        int fd = syscalls.eventfd();
        if (fd < 0) {
            throw new ErrnoException("eventfd", Errno.ofResult(fd), "Too many open files? See ulimit -n.");
        }
        return new WakeUp(syscalls, KernelFd.adopt(syscalls, fd, "eventfd of a wait"));
    }

    static WakeUp borrow(Syscalls syscalls) throws ErrnoException {
        WakeUp pooled = pool(syscalls).take();
        return pooled != null ? pooled : open(syscalls);
    }

    /** A signal that is still in it costs the next borrower one turn of its loop; a drain here costs everyone a call. */
    void giveBack() {
        pool(syscalls).put(this);
    }

    void close() {
        eventfd.close();
    }

    /** The eventfd's number stays valid, closed or not, until {@link #leave()}. */
    void enter() {
        eventfd.enter();
    }

    void leave() {
        eventfd.leave();
    }

    /** For the one who waits and has entered. */
    int number() {
        return eventfd.number();
    }

    @Override
    public void signal() {
        if (eventfd.tryEnter()) {
            try {
                syscalls.eventfdSignal(eventfd.number());
            } finally {
                eventfd.leave();
            }
        }
    }

    void drain() {
        syscalls.eventfdDrain(eventfd.number());
    }

    /** Until {@link InterruptHook#end()}, an interrupt of the calling thread signals this eventfd. */
    InterruptHook hookInterrupts() {
        InterruptHook hook = new InterruptHook(this);
        hook.arm();
        return hook;
    }

    private static Pool pool(Syscalls syscalls) {
        return POOLS.computeIfAbsent(syscalls, key -> new Pool());
    }

    /** Those that nobody uses. */
    private static final class Pool {
        private final Queue<WakeUp> idle = new ConcurrentLinkedQueue<>();

        /** Never less than the queue's length, which the queue itself would have to count. */
        private final AtomicInteger size = new AtomicInteger();

        @Nullable
        WakeUp take() {
            WakeUp taken = idle.poll();
            if (taken != null) {
                size.decrementAndGet();
            }
            return taken;
        }

        void put(WakeUp wakeUp) {
            if (size.incrementAndGet() > MAX_IDLE) {
                size.decrementAndGet();
                wakeUp.close();
            } else {
                idle.add(wakeUp);
            }
        }
    }

    /** Single use: the JDK's channel is closed by its first interrupt. */
    static final class InterruptHook extends AbstractInterruptibleChannel {
        private final WakeUp wakeUp;

        private InterruptHook(WakeUp wakeUp) {
            this.wakeUp = wakeUp;
        }

        private void arm() {
            begin();
        }

        /** Throws InterruptedException, and clears the thread's interrupt status, if there was an interrupt. */
        void end() throws InterruptedException {
            try {
                end(true);
            } catch (ClosedByInterruptException interrupted) {
                Thread.interrupted();
                throw new InterruptedException();
            } catch (AsynchronousCloseException impossible) {
                throw new AssertionError("nobody else closes an interrupt hook", impossible);
            }
        }

        @Override
        protected void implCloseChannel() {
            wakeUp.signal();
        }
    }
}
