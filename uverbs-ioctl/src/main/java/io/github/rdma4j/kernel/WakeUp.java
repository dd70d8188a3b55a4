// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import io.github.rdma4j.kernel.syscall.Syscalls;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * An eventfd that ends one thread's poll(2) early: {@link KernelFd#close()} signals it, and so does
 * {@link Thread#interrupt()}, which reaches a thread in native code only through the hook that
 * {@link AbstractInterruptibleChannel} offers.
 *
 * <p>Eventfds are pooled and never closed: a late signal from an interrupt then wakes the next user of the eventfd for
 * nothing, which every waiter has to expect anyway, instead of hitting a descriptor number that is someone else's.
 */
final class WakeUp {
    private static final Map<Syscalls, Queue<WakeUp>> POOLS = new ConcurrentHashMap<>();

    private final Syscalls syscalls;
    private final int eventfd;

    private WakeUp(Syscalls syscalls, int eventfd) {
        this.syscalls = syscalls;
        this.eventfd = eventfd;
    }

    static WakeUp borrow(Syscalls syscalls) throws ErrnoException {
        WakeUp pooled = pool(syscalls).poll();
        if (pooled != null) {
            return pooled;
        }
        int fd = syscalls.eventfd();
        if (fd < 0) {
            throw new ErrnoException("eventfd", Errno.ofResult(fd), "Too many open files? See ulimit -n.");
        }
        return new WakeUp(syscalls, fd);
    }

    /** A signal that is still in it costs the next borrower one turn of its loop; a drain here costs everyone a call. */
    void giveBack() {
        pool(syscalls).add(this);
    }

    int number() {
        return eventfd;
    }

    void signal() {
        syscalls.eventfdSignal(eventfd);
    }

    void drain() {
        syscalls.eventfdDrain(eventfd);
    }

    /** Until {@link InterruptHook#end()}, an interrupt of the calling thread signals this eventfd. */
    InterruptHook hookInterrupts() {
        InterruptHook hook = new InterruptHook(this);
        hook.arm();
        return hook;
    }

    private static Queue<WakeUp> pool(Syscalls syscalls) {
        return POOLS.computeIfAbsent(syscalls, key -> new ConcurrentLinkedQueue<>());
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
