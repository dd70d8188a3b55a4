// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.memory.Scratch;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An epoll(7) descriptor whose calls allocate nothing. Any thread may change the watched descriptors; one thread at a
 * time waits.
 */
public final class Epoll implements AutoCloseable {
    private static final int CAPACITY = 512;
    private static final Scratch EVENTS = new Scratch(Syscalls.EPOLL_EVENT_BYTES);

    private final Syscalls calls;
    private final int capacity;
    private final ByteBuffer events;
    private final long address;

    /** Opened last, after the direct memory is allocated. */
    private final KernelFd epoll;

    private Epoll(Syscalls calls, String name, int capacity, String instead) throws ErrnoException {
        this.calls = calls;
        this.capacity = capacity;
        events =
                ByteBuffer.allocateDirect(capacity * Syscalls.EPOLL_EVENT_BYTES).order(ByteOrder.nativeOrder());
        address = NativeMemory.address(events);
        int number = calls.epollCreate();
        if (number < 0) {
            Errno errno = Errno.ofResult(number);
            String advice = errno.equals(Errno.ENOSYS)
                    ? "The kernel was built without CONFIG_EPOLL" + instead
                    : NodeAdvice.forDescriptors(errno);
            throw new ErrnoException("epoll_create1", errno, advice);
        }
        epoll = KernelFd.adopt(calls, number, name);
    }

    /**
     * Opens a descriptor that watches nothing.
     *
     * @throws ErrnoException EMFILE or ENFILE if no descriptor is available
     */
    public static Epoll open(Kernel kernel) throws ErrnoException {
        return open(kernel, "epoll", CAPACITY, "");
    }

    /**
     * Like {@link #open(Kernel)}, with a name for messages and the largest number of events of one wait; {@code instead}
     * ends the advice for a kernel without epoll(7).
     */
    public static Epoll open(Kernel kernel, String name, int capacity, String instead) throws ErrnoException {
        return new Epoll(LinuxKernel.of(kernel).syscalls(), name, capacity, instead);
    }

    /** The descriptor of the set itself. */
    public KernelFd descriptor() {
        return epoll;
    }

    /** Watches the descriptor {@code number}; its events carry {@code data}. */
    public void add(int number, int watched, long data) throws ErrnoException {
        control(Syscalls.EPOLL_CTL_ADD, number, watched, data);
    }

    /** Watches the descriptor {@code number} for input. */
    public void addReadable(int number, long data) throws ErrnoException {
        add(number, Syscalls.POLLIN, data);
    }

    /** Changes the watched events of the descriptor {@code number}, and the data that they carry. */
    public void modify(int number, int watched, long data) throws ErrnoException {
        control(Syscalls.EPOLL_CTL_MOD, number, watched, data);
    }

    /** Stops watching the descriptor, unless this set is closed. */
    public void remove(int number) {
        if (epoll.tryEnter()) {
            try {
                // Failures are harmless: a descriptor that is not watched need not be removed.
                int result = controlEntered(Syscalls.EPOLL_CTL_DEL, number, 0, 0);
                assert result <= 0;
            } finally {
                epoll.leave();
            }
        }
    }

    private void control(int operation, int number, int watched, long data) throws ErrnoException {
        epoll.enter();
        try {
            int result = controlEntered(operation, number, watched, data);
            if (result < 0) {
                Errno errno = Errno.ofResult(result);
                boolean full = errno.equals(Errno.ENOSPC);
                String advice = full ? "Raise the limit in /proc/sys/fs/epoll/max_user_watches" : "";
                throw new ErrnoException("epoll_ctl", errno, advice);
            }
        } finally {
            epoll.leave();
        }
    }

    private int controlEntered(int operation, int number, int watched, long data) {
        Scratch.Block block = EVENTS.take();
        try {
            ByteBuffer event = block.memory();
            event.putInt(0, watched);
            event.putLong(Syscalls.EPOLL_DATA, data);
            return calls.epollControl(epoll.number(), operation, number, block.address());
        } finally {
            EVENTS.release(block);
        }
    }

    /** Waits for events, and returns their number: 0 after the timeout, or earlier. */
    public int await(int timeoutMillis) throws ErrnoException {
        epoll.enter();
        try {
            return awaitEntered(timeoutMillis);
        } finally {
            epoll.leave();
        }
    }

    /** Like {@link #await}, for a caller that has entered {@link #descriptor()}, which may be closed meanwhile. */
    public int awaitEntered(int timeoutMillis) throws ErrnoException {
        try {
            int result = calls.epollWait(epoll.number(), address, capacity, timeoutMillis);
            if (result < 0 && result != -Errno.EINTR.number()) {
                throw new ErrnoException("epoll_wait", Errno.ofResult(result));
            }
            return Math.max(result, 0);
        } finally {
            Reference.reachabilityFence(events);
        }
    }

    /** The ready events of entry {@code index} of the last wait. */
    public int ready(int index) {
        return events.getInt(index * Syscalls.EPOLL_EVENT_BYTES);
    }

    /** The data of entry {@code index} of the last wait. */
    public long data(int index) {
        return events.getLong(index * Syscalls.EPOLL_EVENT_BYTES + Syscalls.EPOLL_DATA);
    }

    @Override
    public void close() {
        epoll.close();
    }
}
