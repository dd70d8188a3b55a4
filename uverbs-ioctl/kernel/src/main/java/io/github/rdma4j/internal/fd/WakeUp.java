// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

import io.github.rdma4j.internal.libc.PollPair;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
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
 * someone else's by now: {@link #signal()} enters the {@link KernelFd}, which puts close(2) off until the signal has been
 * given. A closed eventfd refuses, unless somebody still waits by it, who must be reached.
 */
public final class WakeUp implements Waiting {
    static final int MAX_IDLE = 64;

    private static final Map<Syscalls, Pool> POOLS = new ConcurrentHashMap<>();

    private final Syscalls syscalls;

    /** For the one who waits. */
    private final PollPair pollPair;

    /** Waiting thread only; valid until its first interrupt. */
    private InterruptHook hook = new InterruptHook(this);

    /** Last: the direct memory is there when the descriptor is opened. */
    private final KernelFd eventfd;

    private WakeUp(Syscalls syscalls) throws ErrnoException {
        this.syscalls = syscalls;
        pollPair = syscalls.pollPair();
        eventfd = EventFd.open(syscalls, "eventfd of a wait");
    }

    /** One that is not to be given back, but closed. */
    public static WakeUp open(Kernel kernel) throws ErrnoException {
        return new WakeUp(LinuxKernel.of(kernel).syscalls());
    }

    /** One of the pool, to be given back by {@link #release()}. */
    public static WakeUp borrow(Syscalls syscalls) throws ErrnoException {
        WakeUp pooled = pool(syscalls).take();
        return pooled != null ? pooled : new WakeUp(syscalls);
    }

    /** A signal that is still in it costs the next borrower one turn of its loop; a drain here costs everyone a call. */
    public void release() {
        pool(syscalls).put(this);
    }

    public void close() {
        eventfd.close();
    }

    /** The eventfd's number stays valid, closed or not, until {@link #leave()}. */
    public void enter() {
        eventfd.enter();
    }

    public void leave() {
        eventfd.leave();
    }

    /** For the one who waits and has entered. */
    public int number() {
        return eventfd.number();
    }

    /** For the one who waits and has entered. */
    PollPair pollPair() {
        return pollPair;
    }

    @Override
    public void signal() {
        if (eventfd.tryEnterToo()) {
            try {
                syscalls.eventfdSignal(eventfd.number());
            } finally {
                eventfd.leave();
            }
        }
    }

    public void drain() {
        syscalls.eventfdDrain(eventfd.number());
    }

    /** Until {@link InterruptHook#end()}, an interrupt of the calling thread signals this eventfd. */
    public InterruptHook hookInterrupts() {
        if (!hook.isOpen()) {
            hook = new InterruptHook(this);
        }
        hook.arm();
        return hook;
    }

    private static Pool pool(Syscalls syscalls) {
        return POOLS.computeIfAbsent(syscalls, key -> new Pool());
    }

    /** Those that nobody uses, in places of which most are empty; taking and putting allocate nothing. */
    private static final class Pool {
        private final AtomicReferenceArray<@Nullable WakeUp> idle = new AtomicReferenceArray<>(MAX_IDLE);

        @Nullable
        WakeUp take() {
            for (int i = 0; i < MAX_IDLE; i++) {
                WakeUp found = idle.get(i);
                if (found != null && idle.compareAndSet(i, found, null)) {
                    return found;
                }
            }
            return null;
        }

        void put(WakeUp wakeUp) {
            for (int i = 0; i < MAX_IDLE; i++) {
                if (idle.get(i) == null && idle.compareAndSet(i, null, wakeUp)) {
                    return;
                }
            }
            wakeUp.close();
        }
    }

    /** Of use for one wait after the other until the first interrupt, which closes the JDK's channel. */
    public static final class InterruptHook extends AbstractInterruptibleChannel {
        private final WakeUp wakeUp;

        private InterruptHook(WakeUp wakeUp) {
            this.wakeUp = wakeUp;
        }

        private void arm() {
            begin();
        }

        /** Throws InterruptedException, and clears the thread's interrupt status, if there was an interrupt. */
        public void end() throws InterruptedException {
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
