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
 * One open file descriptor, and the only place that knows its number.
 *
 * <p>The number is lent to a call for its duration and never stored, and close(2) runs only when no call is in flight:
 * so a number that the kernel has meanwhile given to another file can never be used by mistake. {@link #close()} wakes
 * every thread that waits for the descriptor; a waiter or call that was under way finishes, a later one gets
 * {@link IllegalStateException}.
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

    /** One who waits, so that a descriptor that one thread waits for needs no entry in the set; through WAITER. */
    private volatile @Nullable Waiting waiter;

    /** The others who wait. */
    private final Set<Waiting> waiters = ConcurrentHashMap.newKeySet();

    /**
     * How many are in {@link #waiters}, or about to be: raised before and lowered after. The set's own count is not exact while threads
     * add and remove, and iterating allocates.
     */
    private final AtomicInteger others = new AtomicInteger();

    /** {@link #CLOSED} and, in the other bits, how many calls are in flight. */
    @SuppressWarnings("unused") // through STATE
    private volatile int state;

    private KernelFd(Syscalls syscalls, int number, String name) {
        this.syscalls = syscalls;
        this.number = number;
        this.name = name;
    }

    /** Opens a file to read and to write. The advice of a failure is the caller's to add. */
    public static KernelFd open(Kernel kernel, String path) throws ErrnoException {
        return open(kernel, path, Syscalls.O_RDWR);
    }

    /** As {@link #open(Kernel, String)}, for reads that do not wait. */
    public static KernelFd openNonBlocking(Kernel kernel, String path) throws ErrnoException {
        return open(kernel, path, Syscalls.O_RDWR | Syscalls.O_NONBLOCK);
    }

    /** Opens a file or a directory to read, or only to hold. */
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

    /** Takes over a descriptor that the kernel has made inside another call; {@code name} is for messages. */
    public static KernelFd adopt(Kernel kernel, int number, String name) {
        requireNumber(number, name);
        return adopt(LinuxKernel.of(kernel).syscalls(), number, name);
    }

    /** As {@link #adopt(Kernel, int, String)}. */
    public static KernelFd adopt(Syscalls syscalls, int number, String name) {
        return new KernelFd(syscalls, number, name);
    }

    /** A descriptor that belongs to the program, which closes it. */
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
        /** {@code number} is valid until this returns, and not to be kept. */
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

    /** Keeps the descriptor open in the kernel until the hold is released, though it may be closed here meanwhile. */
    public Hold hold() {
        enter();
        return new Hold();
    }

    /** Somebody who needs the descriptor's number for a while. */
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

        /** A second time does nothing. */
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
     * write(2) as {@link #write}, without counting the call, which saves two atomic instructions. The caller makes sure that the
     * descriptor is not closed before the call returns.
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

    /** Makes read(2) return {@code -EAGAIN} where it would wait; waiting is {@link #awaitReadable}'s business. */
    public void setNonBlocking() throws ErrnoException {
        int result = use(syscalls::setNonBlocking);
        if (result < 0) {
            throw new ErrnoException("fcntl F_SETFL O_NONBLOCK on " + name, Errno.ofResult(result));
        }
    }

    /**
     * Waits until there is something to read.
     *
     * @return false when the time ran out
     * @throws ClosedWhileWaitingException when another thread closed the descriptor meanwhile
     * @throws InterruptedException when the thread was interrupted, before or while it waited
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

    /** Lends the number until {@link #leave()}; a descriptor that is closed has none to lend. */
    public void enter() {
        if (!tryEnter()) {
            throw closed();
        }
    }

    /** As {@link #enter()}, but returns false when the descriptor is closed. */
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

    /** As {@link #tryEnter()}, and for a closed descriptor also true while others have entered, who keep the number valid. */
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

    /** The number itself, for callers between {@link #enter()} and {@link #leave()}. */
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
