// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

import io.github.rdma4j.internal.libc.SocketCalls;
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
    private static final Scratch EVENTS = new Scratch(SocketCalls.EPOLL_EVENT_BYTES);

    private final SocketCalls calls;
    private final ByteBuffer events =
            ByteBuffer.allocateDirect(CAPACITY * SocketCalls.EPOLL_EVENT_BYTES).order(ByteOrder.nativeOrder());
    private final long address = NativeMemory.address(events);

    /** Opened last, after the direct memory is allocated. */
    private final KernelFd epoll;

    private Epoll(Syscalls syscalls) throws ErrnoException {
        calls = syscalls.sockets();
        epoll = openDescriptor(syscalls);
    }

    /**
     * Opens a descriptor that watches nothing.
     *
     * @throws ErrnoException EMFILE or ENFILE if no descriptor is available
     */
    public static Epoll open(Kernel kernel) throws ErrnoException {
        return new Epoll(LinuxKernel.of(kernel).syscalls());
    }

    private static KernelFd openDescriptor(Syscalls syscalls) throws ErrnoException {
        int number = syscalls.epollCreate();
        if (number < 0) {
            Errno errno = Errno.ofResult(number);
            throw new ErrnoException("epoll_create1", errno, NodeAdvice.forDescriptors(errno));
        }
        return KernelFd.adopt(syscalls, number, "epoll");
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
        control(SocketCalls.EPOLL_CTL_MOD, number, watched, data);
    }

    /** Stops watching the descriptor. */
    public void remove(int number) {
        // Other failures are harmless: a descriptor that is not watched need not be removed.
        int result = tryControl(Syscalls.EPOLL_CTL_DEL, number, 0, 0);
        assert result <= 0;
    }

    private void control(int operation, int number, int watched, long data) throws ErrnoException {
        int result = tryControl(operation, number, watched, data);
        if (result < 0) {
            throw new ErrnoException("epoll_ctl", Errno.ofResult(result));
        }
    }

    private int tryControl(int operation, int number, int watched, long data) {
        Scratch.Block block = EVENTS.take();
        epoll.enter();
        try {
            ByteBuffer event = block.memory();
            event.putInt(0, watched);
            event.putLong(SocketCalls.EPOLL_DATA, data);
            return calls.epollControl(epoll.number(), operation, number, block.address());
        } finally {
            epoll.leave();
            EVENTS.release(block);
        }
    }

    /** Waits for events, and returns their number: 0 after the timeout, or earlier. */
    public int await(int timeoutMillis) throws ErrnoException {
        epoll.enter();
        try {
            int result = calls.epollWait(epoll.number(), address, CAPACITY, timeoutMillis);
            if (result < 0 && result != -Errno.EINTR.number()) {
                throw new ErrnoException("epoll_wait", Errno.ofResult(result));
            }
            return Math.max(result, 0);
        } finally {
            Reference.reachabilityFence(events);
            epoll.leave();
        }
    }

    /** The ready events of entry {@code index} of the last wait. */
    public int ready(int index) {
        return events.getInt(index * SocketCalls.EPOLL_EVENT_BYTES);
    }

    /** The data of entry {@code index} of the last wait. */
    public long data(int index) {
        return events.getLong(index * SocketCalls.EPOLL_EVENT_BYTES + SocketCalls.EPOLL_DATA);
    }

    @Override
    public void close() {
        epoll.close();
    }
}
