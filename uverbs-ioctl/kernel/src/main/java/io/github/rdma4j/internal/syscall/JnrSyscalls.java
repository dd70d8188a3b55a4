// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.syscall;

import com.kenai.jffi.MemoryIO;
import io.github.rdma4j.internal.memory.NativeMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The system calls of the running kernel, by libc. */
public final class JnrSyscalls implements Syscalls {
    /**
     * Names the library that the calls are bound from, {@code c} unless it is set. Another one, a path or a name
     * without {@code lib} and {@code .so}, stands in front of libc: the InfiniBand simulator's {@code umad2sim} for
     * example, which has open, read, write, ioctl, poll and close of its own for the umad files of its fabric.
     */
    public static final String LIBRARY_PROPERTY = "io.github.rdma4j.libc";

    private static final int EINTR = 4;
    private static final int EBADF = 9;
    private static final int EFD_CLOEXEC_NONBLOCK = O_CLOEXEC | O_NONBLOCK;

    /** {@code struct epoll_event}: the events, and the 8 bytes of the caller's, which only x86-64 packs. */
    private static final boolean EPOLL_IS_PACKED =
            System.getProperty("os.arch", "").equals("amd64");

    private static final int EPOLL_EVENT_INTS = EPOLL_IS_PACKED ? 3 : 4;
    private static final int EPOLL_DATA = EPOLL_IS_PACKED ? 1 : 2;

    private static final int EVENTFD_COUNTER_BYTES = 8;
    private static final int RLIMIT_BYTES = 16;

    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int RLIMIT_MEMLOCK = 8;
    private static final int SC_PAGESIZE = 30;
    private static final int S_IFMT = 0170000;
    private static final int S_IFCHR = 0020000;

    private final MemoryIO memory = MemoryIO.getInstance();
    private final Libc libc;
    private final long open;
    private final long close;
    private final long read;
    private final long write;
    private final long ioctl;
    private final long fcntl;
    private final long poll;
    private final long epollCreate;
    private final long epollControl;
    private final long epollWait;
    private final long eventfd;
    private final long eventfdWrite;
    private final long eventfdRead;
    private final long mmap;
    private final long munmap;
    private final long socket;
    private final long bind;
    private final long getrlimit;
    private final long sysconf;

    private JnrSyscalls(Libc libc) {
        this.libc = libc;
        open = libc.function("open");
        close = libc.function("close");
        read = libc.function("read");
        write = libc.function("write");
        ioctl = libc.function("ioctl");
        fcntl = libc.function("fcntl");
        poll = libc.function("poll");
        epollCreate = libc.function("epoll_create1");
        epollControl = libc.function("epoll_ctl");
        epollWait = libc.function("epoll_wait");
        eventfd = libc.function("eventfd");
        eventfdWrite = libc.function("eventfd_write");
        eventfdRead = libc.function("eventfd_read");
        mmap = libc.function("mmap");
        munmap = libc.function("munmap");
        socket = libc.function("socket");
        bind = libc.function("bind");
        getrlimit = libc.function("getrlimit");
        sysconf = libc.function("sysconf");
    }

    /** Loads libc; throws {@link UnsupportedOperationException} on anything but Linux. */
    public static Syscalls load() {
        String os = System.getProperty("os.name", "");
        if (!os.equals("Linux")) {
            throw new UnsupportedOperationException("rdma4j talks to the Linux kernel; this is " + os);
        }
        String library = System.getProperty(LIBRARY_PROPERTY, Libc.DEFAULT);
        return OwnThread.call(() -> new JnrSyscalls(new Libc(library)));
    }

    /** The result of a function that returns an {@code int}, or minus the error number. */
    private int result(long returned) {
        return (int) returned < 0 ? -libc.errno() : (int) returned;
    }

    /** The result of a function that returns a {@code long}, or minus the error number. */
    private long longResult(long returned) {
        return returned < 0 ? -libc.errno() : returned;
    }

    @Override
    public int open(String path, int flags) {
        byte[] name = (path + '\0').getBytes(StandardCharsets.UTF_8);
        long address = memory.allocateMemory(name.length, false);
        try {
            memory.putByteArray(address, name, 0, name.length);
            int result;
            do {
                result = result(libc.call(open, address, flags, 0));
            } while (result == -EINTR);
            return result;
        } finally {
            memory.freeMemory(address);
        }
    }

    @Override
    public int close(int fd) {
        return result(libc.call(close, fd));
    }

    @Override
    public long read(int fd, long address, long length) {
        long result;
        do {
            result = longResult(libc.call(read, fd, address, length));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public long write(int fd, long address, long length) {
        long result;
        do {
            result = longResult(libc.call(write, fd, address, length));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public long ring(int fd, long address, long length) {
        long result = libc.quietly(write, fd, address, length);
        return result < 0 ? write(fd, address, length) : result;
    }

    @Override
    public int ioctl(int fd, long request, long address) {
        int result;
        do {
            result = result(libc.call(ioctl, fd, request, address));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public int setNonBlocking(int fd) {
        int flags = result(libc.call(fcntl, fd, F_GETFL, 0));
        return flags < 0 ? flags : result(libc.call(fcntl, fd, F_SETFL, flags | O_NONBLOCK));
    }

    @Override
    public int poll(int[] pollfds, int timeoutMillis) {
        long address = memory.allocateMemory((long) pollfds.length * Integer.BYTES, false);
        try {
            memory.putIntArray(address, pollfds, 0, pollfds.length);
            int ready = result(libc.call(poll, address, pollfds.length / 2, timeoutMillis));
            memory.getIntArray(address, pollfds, 0, pollfds.length);
            return ready;
        } finally {
            memory.freeMemory(address);
        }
    }

    @Override
    public PollPair pollPair() {
        return new NativePollPair();
    }

    /** Two {@code struct pollfd} outside the heap. */
    private final class NativePollPair implements PollPair {
        private static final int POLLFD = 8;
        private static final int EVENTS = 4;
        private static final int RESULT = 6;

        private final ByteBuffer pollfds = ByteBuffer.allocateDirect(2 * POLLFD).order(ByteOrder.nativeOrder());
        private final long address = NativeMemory.address(pollfds);

        @Override
        public int poll(int first, int second, int timeoutMillis) {
            try {
                set(0, first);
                set(POLLFD, second);
                return result(libc.call(poll, address, 2, timeoutMillis));
            } finally {
                Reference.reachabilityFence(pollfds);
            }
        }

        private void set(int entry, int fd) {
            pollfds.putInt(entry, fd);
            pollfds.putShort(entry + EVENTS, (short) POLLIN);
            pollfds.putShort(entry + RESULT, (short) 0);
        }

        @Override
        public boolean firstReady() {
            return pollfds.getShort(RESULT) != 0;
        }

        @Override
        public boolean secondReady() {
            return pollfds.getShort(POLLFD + RESULT) != 0;
        }
    }

    @Override
    public int epollCreate() {
        return result(libc.call(epollCreate, O_CLOEXEC));
    }

    @Override
    public int epollControl(int epoll, int operation, int fd, int data) {
        long event = memory.allocateMemory((long) EPOLL_EVENT_INTS * Integer.BYTES, true);
        try {
            memory.putInt(event, POLLIN);
            memory.putInt(event + (long) EPOLL_DATA * Integer.BYTES, data);
            return result(libc.call(epollControl, epoll, operation, fd, event));
        } finally {
            memory.freeMemory(event);
        }
    }

    @Override
    public int epollWait(int epoll, int[] data, int timeoutMillis) {
        long events = memory.allocateMemory((long) data.length * EPOLL_EVENT_INTS * Integer.BYTES, false);
        try {
            int ready = result(libc.call(epollWait, epoll, events, data.length, timeoutMillis));
            for (int i = 0; i < ready; i++) {
                data[i] = memory.getInt(events + ((long) i * EPOLL_EVENT_INTS + EPOLL_DATA) * Integer.BYTES);
            }
            return ready;
        } finally {
            memory.freeMemory(events);
        }
    }

    @Override
    public int eventfd() {
        return result(libc.call(eventfd, 0, EFD_CLOEXEC_NONBLOCK));
    }

    @Override
    public int eventfdSignal(int fd) {
        return result(libc.call(eventfdWrite, fd, 1));
    }

    @Override
    public int eventfdDrain(int fd) {
        long counter = memory.allocateMemory(EVENTFD_COUNTER_BYTES, false);
        try {
            return result(libc.call(eventfdRead, fd, counter));
        } finally {
            memory.freeMemory(counter);
        }
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        long mapped = libc.call(mmap, address, length, protection, flags, fd, offset);
        return mapped == -1 ? -libc.errno() : mapped;
    }

    @Override
    public int munmap(long address, long length) {
        return result(libc.call(munmap, address, length));
    }

    @Override
    public int bind(int fd, long address, int length) {
        return result(libc.call(bind, fd, address, length));
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return result(libc.call(socket, domain, type | O_CLOEXEC, protocol));
    }

    @Override
    public SocketCalls sockets() {
        return JnrSockets.running();
    }

    /** By the JDK: libc has fstat(2) by name only since glibc 2.33. */
    @Override
    public long characterDevice(int fd) {
        Path descriptor = Path.of("/proc/self/fd", Integer.toString(fd));
        try {
            int mode = (int) Files.getAttribute(descriptor, "unix:mode");
            return (mode & S_IFMT) == S_IFCHR ? (long) Files.getAttribute(descriptor, "unix:rdev") : 0;
        } catch (NoSuchFileException closed) {
            return -EBADF;
        } catch (IOException e) {
            throw new UncheckedIOException("stat of descriptor " + fd, e);
        }
    }

    @Override
    public long lockedMemoryLimit() {
        long limit = memory.allocateMemory(RLIMIT_BYTES, false);
        try {
            long soft =
                    result(libc.call(getrlimit, RLIMIT_MEMLOCK, limit)) == 0 ? memory.getLong(limit) : Long.MAX_VALUE;
            return soft < 0 ? Long.MAX_VALUE : soft;
        } finally {
            memory.freeMemory(limit);
        }
    }

    @Override
    public int pageSize() {
        return (int) libc.call(sysconf, SC_PAGESIZE);
    }
}
