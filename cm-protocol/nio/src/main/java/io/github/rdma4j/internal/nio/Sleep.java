// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.Waiting;
import io.github.rdma4j.internal.fd.WakeUp;
import io.github.rdma4j.internal.libc.SocketCalls;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.rsocket.VirtualThreads;
import io.github.rdma4j.kernel.Errno;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.ref.Reference;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How the calling thread sleeps until a source is ready: a platform thread by poll(2), a virtual thread parked, so that its carrier
 * is free.
 *
 * <p>A sleep may end early: when the channel is closed, when somebody signals the descriptor's waiters, for want of descriptors, or for
 * nothing. The caller
 * tries again what it could not do, and looks at the time.
 */
final class Sleep {
    static final long NO_LIMIT = Long.MAX_VALUE;

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int EVENTS_AT = 4;
    private static final int POLLFD_BYTES = 8;
    private static final int READY_AT = 6;

    private Sleep() {}

    /** Sleeps until {@code source} has one of {@code events}, POLLIN or POLLOUT, for {@code nanos} at most. */
    static void until(Source source, int events, long nanos, Channel channel) throws IOException {
        if (VirtualThreads.isCurrent()) {
            parked(source, events, nanos, channel);
        } else {
            polled(source, events, nanos, channel);
        }
    }

    /**
     * Whether it is right to sleep. Asked after the waiter was added: a close before this is seen, and a close after it signals; so
     * does another thread that takes from a polled source what this thread is to wait for.
     */
    private static boolean maySleep(Source source, int events, Channel channel) {
        if (!channel.isOpen()) {
            return false;
        }
        if (!source.isPolled()) {
            return true;
        }
        int reported = events | SocketCalls.POLLERR | SocketCalls.POLLHUP;
        return (source.readiness() & reported) == 0 && source.arm(reported);
    }

    private static int watched(Source source, int events) {
        return source.isPolled() ? SocketCalls.POLLIN : events;
    }

    private static void polled(Source source, int events, long nanos, Channel channel) throws IOException {
        KernelFd descriptor = source.descriptor();
        WakeUp wakeUp = WakeUp.borrow(descriptor.syscalls());
        try {
            if (!descriptor.tryEnter()) {
                return;
            }
            descriptor.addWaiter(wakeUp);
            boolean came = false;
            try {
                came = maySleep(source, events, channel) && poll(descriptor, watched(source, events), nanos, wakeUp);
            } finally {
                descriptor.removeWaiter(wakeUp);
                descriptor.leave();
            }
            if (came) {
                source.taken();
            }
        } finally {
            wakeUp.release();
        }
    }

    /** Returns true if the descriptor has something. */
    private static boolean poll(KernelFd descriptor, int events, long nanos, WakeUp wakeUp) throws IOException {
        Block block = Block.take();
        try {
            ByteBuffer pollfds = block.room();
            put(pollfds, 0, descriptor.number(), events);
            put(pollfds, POLLFD_BYTES, wakeUp.number(), SocketCalls.POLLIN);
            int result = descriptor.syscalls().sockets().poll(block.roomAddress(), 2, wakeUp.limit(millis(nanos)));
            if (result < 0 && result != -Errno.EINTR.number()) {
                throw SocketErrors.ofStream(result);
            }
            if (result > 0 && pollfds.getShort(POLLFD_BYTES + READY_AT) != 0) {
                wakeUp.drain();
            }
            return result > 0 && pollfds.getShort(READY_AT) != 0;
        } finally {
            Reference.reachabilityFence(block);
            block.giveBack();
        }
    }

    private static void put(ByteBuffer pollfds, int at, int number, int events) {
        pollfds.putInt(at, number);
        pollfds.putShort(at + EVENTS_AT, (short) events);
        pollfds.putShort(at + READY_AT, (short) 0);
    }

    /** For a virtual thread; as good, but slower, for any other. */
    static void parked(Source source, int events, long nanos, Channel channel) throws IOException {
        KernelFd descriptor = source.descriptor();
        Poller poller = events == Syscalls.POLLIN ? Poller.ofReaders() : Poller.ofWriters();
        Thread thread = Thread.currentThread();
        Waiting waiter = () -> LockSupport.unpark(thread);
        if (!descriptor.tryEnter()) {
            return;
        }
        descriptor.addWaiter(waiter);
        try {
            poller.add(descriptor.number(), watched(source, events), thread);
            try {
                if (maySleep(source, events, channel)) {
                    park(channel, nanos);
                }
            } finally {
                poller.remove(descriptor.number());
            }
        } finally {
            descriptor.removeWaiter(waiter);
            descriptor.leave();
        }
        source.taken();
    }

    private static void park(Channel channel, long nanos) {
        if (nanos == NO_LIMIT) {
            LockSupport.park(channel);
        } else {
            LockSupport.parkNanos(channel, nanos);
        }
    }

    /** As in the JDK's plain sockets, an interrupt ends the wait of a virtual thread, and does nothing to a platform thread. */
    static void checkInterrupt() throws InterruptedIOException {
        if (VirtualThreads.isCurrent() && Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException();
        }
    }

    /** What is left of {@code nanos} since {@code start}; throws that the call is {@code late} if nothing is. */
    static long left(long nanos, long start, String late) throws SocketTimeoutException {
        long left = nanos == NO_LIMIT ? nanos : nanos - (System.nanoTime() - start);
        if (left <= 0) {
            throw new SocketTimeoutException(late);
        }
        return left;
    }

    /** Takes {@code lock} within {@code nanos}, whatever interrupts come, and returns what is left of them; as {@link #left}. */
    static long lock(ReentrantLock lock, long nanos, String late) throws SocketTimeoutException {
        if (nanos == NO_LIMIT) {
            lock.lock();
            return nanos;
        }
        long start = System.nanoTime();
        long left = nanos;
        boolean interrupted = false;
        boolean locked = false;
        while (!locked && left > 0) {
            try {
                locked = lock.tryLock(left, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            left = nanos - (System.nanoTime() - start);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!locked) {
            throw new SocketTimeoutException(late);
        }
        return Math.max(left, 1);
    }

    /** The limit that a program gives in milliseconds, of which 0 means none. */
    static long nanos(long millis) {
        return millis == 0 || millis >= NO_LIMIT / NANOS_PER_MILLI ? NO_LIMIT : millis * NANOS_PER_MILLI;
    }

    /** Milliseconds as poll(2) and epoll_wait(2) take them: rounded up, and -1 for no limit. */
    static int millis(long nanos) {
        if (nanos == NO_LIMIT) {
            return -1;
        }
        long up = nanos / NANOS_PER_MILLI + (nanos % NANOS_PER_MILLI > 0 ? 1 : 0);
        return (int) Math.min(Math.max(up, 0), Integer.MAX_VALUE);
    }
}
