// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An open file descriptor. Only this class knows its number.
 *
 * <p>The number is lent to a call for its duration and never stored, and close(2) runs only when no call is in flight.
 * A number that the kernel has reassigned to another file is therefore never used. {@link #close()} wakes every thread
 * that waits for the descriptor; waits and calls in progress finish, later calls throw {@link IllegalStateException}.
 *
 * <p>Safe for use by several threads. Closing is idempotent.
 */
public final class KernelFd implements Pollable.Descriptor, AutoCloseable {
    private static final int CLOSED = 1 << 31;
    private static final VarHandle STATE;
    private static final VarHandle WAITER;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(KernelFd.class, "state", int.class);
            WAITER = MethodHandles.lookup().findVarHandle(KernelFd.class, "waiter", Waiting.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Syscalls syscalls;
    private final int number;
    private final String name;

    /** The first waiting thread, which needs no entry in {@link #waiters}. Accessed through WAITER. */
    private volatile @Nullable Waiting waiter;

    /** Further waiting threads. */
    private final Set<Waiting> waiters = ConcurrentHashMap.newKeySet();

    /**
     * Upper bound of the size of {@link #waiters}: raised before an element is added, lowered after it is removed. The
     * set's own count is inexact under concurrent changes, and iterating allocates.
     */
    private final AtomicInteger others = new AtomicInteger();

    /** {@link #CLOSED}, and in the other bits the number of calls in flight. */
    @SuppressWarnings("unused") // through STATE
    private volatile int state;

    private KernelFd(Syscalls syscalls, int number, String name) {
        this.syscalls = syscalls;
        this.number = number;
        this.name = name;
    }

    /** Opens a file for reading and writing. The caller adds the advice to a failure. */
    public static KernelFd open(Kernel kernel, String path) throws ErrnoException {
        return open(kernel, path, Syscalls.O_RDWR);
    }

    /** Like {@link #open(Kernel, String)}, for non-blocking reads. */
    public static KernelFd openNonBlocking(Kernel kernel, String path) throws ErrnoException {
        return open(kernel, path, Syscalls.O_RDWR | Syscalls.O_NONBLOCK);
    }

    /** Opens a file or a directory for reading, or only to keep it open. */
    public static KernelFd openToRead(Kernel kernel, String path) throws ErrnoException {
        return open(kernel, path, Syscalls.O_RDONLY);
    }

    private static KernelFd open(Kernel kernel, String path, int flags) throws ErrnoException {
        int fd = LinuxKernel.of(kernel).syscalls().open(path, flags | Syscalls.O_CLOEXEC);
        if (fd < 0) {
            throw new ErrnoException("open " + path, Errno.ofResult(fd));
        }
        return adopt(LinuxKernel.of(kernel).syscalls(), fd, path);
    }

    /** Takes over a descriptor that the kernel created in another call; {@code name} is for messages. */
    public static KernelFd adopt(Kernel kernel, int number, String name) {
        requireNumber(number, name);
        return adopt(LinuxKernel.of(kernel).syscalls(), number, name);
    }

    /** Like {@link #adopt(Kernel, int, String)}. */
    public static KernelFd adopt(Syscalls syscalls, int number, String name) {
        return new KernelFd(syscalls, number, name);
    }

    /** A descriptor of the program, which is never closed here. */
    public static KernelFd lent(Kernel kernel, int number, String name) {
        requireNumber(number, name);
        return new KernelFd(LinuxKernel.of(kernel).syscalls(), number, name);
    }

    private static void requireNumber(int number, String name) {
        if (number < 0) {
            throw new IllegalArgumentException(number + " is not a descriptor of " + name);
        }
    }

    /** The descriptor of {@code source}. */
    public static KernelFd of(Pollable source) {
        return (KernelFd) source.descriptor();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isClosed() {
        return (state & CLOSED) != 0;
    }

    /** This descriptor. */
    @Override
    public KernelFd descriptor() {
        return this;
    }

    /** A use of the descriptor's number. */
    @FunctionalInterface
    public interface Use<T, E extends Exception> {
        /** {@code number} is valid until this method returns, and must not be stored. */
        T with(int number) throws E;
    }

    /** Lends the number for the duration of {@code use}. */
    public <T, E extends Exception> T use(Use<T, E> use) throws E {
        enter();
        try {
            return use.with(number);
        } finally {
            leave();
        }
    }

    /** Keeps the descriptor open in the kernel until the hold is released, even if this object is closed meanwhile. */
    public Hold hold() {
        enter();
        return new Hold();
    }

    /** A long-lived use of the descriptor's number. */
    public final class Hold {
        private final AtomicBoolean held = new AtomicBoolean(true);

        private Hold() {}

        /** The number, valid until {@link #release()}. */
        public int number() {
            return number;
        }

        public boolean isOf(KernelFd descriptor) {
            return descriptor == KernelFd.this;
        }

        /** Idempotent. */
        public void release() {
            if (held.compareAndSet(true, false)) {
                leave();
            }
        }
    }

    /** ioctl(2): the result, or minus the error number. Allocates nothing. */
    public int ioctl(long request, long address) {
        enter();
        try {
            return syscalls.ioctl(number, request, address);
        } finally {
            leave();
        }
    }

    /** write(2): the result, or minus the error number. Allocates nothing. */
    public long write(long address, long length) {
        enter();
        try {
            return syscalls.write(number, address, length);
        } finally {
            leave();
        }
    }

    /**
     * Like {@link #write}, but not counted as a call in flight, which saves two atomic instructions. The caller ensures
     * that the descriptor is not closed before the call returns.
     */
    public long ringUncounted(long address, long length) {
        if (isClosed()) {
            throw closed();
        }
        return syscalls.ring(number, address, length);
    }

    private IllegalStateException closed() {
        return new IllegalStateException(name + " is closed");
    }

    /** read(2): the result, or minus the error number. Allocates nothing. */
    public long read(long address, long length) {
        enter();
        try {
            return syscalls.read(number, address, length);
        } finally {
            leave();
        }
    }

    /** Makes read(2) return {@code -EAGAIN} instead of blocking; {@link #awaitReadable} waits. */
    public void setNonBlocking() throws ErrnoException {
        int result = use(syscalls::setNonBlocking);
        if (result < 0) {
            throw new ErrnoException("fcntl F_SETFL O_NONBLOCK on " + name, Errno.ofResult(result));
        }
    }

    /**
     * Waits until the descriptor is readable.
     *
     * @return false after the timeout
     * @throws ClosedWhileWaitingException if another thread closes the descriptor meanwhile
     * @throws InterruptedException if the thread is interrupted before or during the wait
     */
    public boolean awaitReadable(Deadline deadline) throws RdmaException, InterruptedException {
        return Polling.await(this, deadline);
    }

    @Override
    public void wakeWaiters() {
        Waiting first = waiter;
        if (first != null) {
            first.signal();
        }
        if (others.get() != 0) {
            waiters.forEach(Waiting::signal);
        }
    }

    /** Lends the number until {@link #leave()}; throws if the descriptor is closed. */
    public void enter() {
        if (!tryEnter()) {
            throw closed();
        }
    }

    /** Like {@link #enter()}, but returns false if the descriptor is closed. */
    public boolean tryEnter() {
        int observed;
        do {
            observed = state;
            if ((observed & CLOSED) != 0) {
                return false;
            }
        } while (!STATE.compareAndSet(this, observed, observed + 1));
        return true;
    }

    /**
     * Like {@link #tryEnter()}, but also returns true for a closed descriptor that other threads have entered, because
     * they keep the number valid.
     */
    boolean tryEnterToo() {
        int observed;
        do {
            observed = state;
            if (observed == CLOSED) {
                return false;
            }
        } while (!STATE.compareAndSet(this, observed, observed + 1));
        return true;
    }

    public void leave() {
        int before = (int) STATE.getAndAdd(this, -1);
        if (before == (CLOSED | 1)) {
            syscalls.close(number);
        }
    }

    /** The number; only between {@link #enter()} and {@link #leave()}. */
    public int number() {
        return number;
    }

    public Syscalls syscalls() {
        return syscalls;
    }

    public void addWaiter(Waiting added) {
        if (!WAITER.compareAndSet(this, null, added)) {
            others.incrementAndGet();
            if (!waiters.add(added)) {
                others.decrementAndGet();
            }
        }
    }

    public void removeWaiter(Waiting removed) {
        if (!WAITER.compareAndSet(this, removed, null) && waiters.remove(removed)) {
            others.decrementAndGet();
        }
    }

    @Override
    public void close() {
        int before = (int) STATE.getAndBitwiseOr(this, CLOSED);
        if ((before & CLOSED) != 0) {
            return;
        }
        wakeWaiters();
        if (before == 0) {
            syscalls.close(number);
        }
    }

    @Override
    public String toString() {
        return name + (isClosed() ? " (closed)" : "");
    }
}
