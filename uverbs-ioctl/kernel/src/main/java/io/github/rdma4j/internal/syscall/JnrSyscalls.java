// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.syscall;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

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

    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int RLIMIT_MEMLOCK = 8;
    private static final int SC_PAGESIZE = 30;
    private static final int S_IFMT = 0170000;
    private static final int S_IFCHR = 0020000;

    private final Libc libc;
    private final QuietLibc quiet;
    private final Runtime runtime;

    private JnrSyscalls(Libc libc, QuietLibc quiet) {
        this.libc = libc;
        this.quiet = quiet;
        this.runtime = Runtime.getRuntime(libc);
    }

    /** Loads libc; throws {@link UnsupportedOperationException} on anything but Linux. */
    public static Syscalls load() {
        String os = System.getProperty("os.name", "");
        if (!os.equals("Linux")) {
            throw new UnsupportedOperationException("rdma4j talks to the Linux kernel; this is " + os);
        }
        String library = System.getProperty(LIBRARY_PROPERTY, "c");
        return OwnThread.call(() -> new JnrSyscalls(
                LibraryLoader.create(Libc.class).load(library),
                LibraryLoader.create(QuietLibc.class).load(library)));
    }

    /** jnr-ffi saves errno inside the call stub, so the number is still that of the call just made. */
    private int errno() {
        return runtime.getLastError();
    }

    @Override
    public int open(String path, int flags) {
        int result;
        do {
            result = libc.open(path, flags, 0);
            result = result < 0 ? -errno() : result;
        } while (result == -EINTR);
        return result;
    }

    @Override
    public int close(int fd) {
        return libc.close(fd) < 0 ? -errno() : 0;
    }

    @Override
    public long read(int fd, long address, long length) {
        long result;
        do {
            result = libc.read(fd, address, length);
            result = result < 0 ? -errno() : result;
        } while (result == -EINTR);
        return result;
    }

    @Override
    public long write(int fd, long address, long length) {
        long result;
        do {
            result = libc.write(fd, address, length);
            result = result < 0 ? -errno() : result;
        } while (result == -EINTR);
        return result;
    }

    @Override
    public long ring(int fd, long address, long length) {
        long result = quiet.write(fd, address, length);
        return result < 0 ? write(fd, address, length) : result;
    }

    @Override
    public int ioctl(int fd, long request, long address) {
        int result;
        do {
            result = libc.ioctl(fd, request, address);
            result = result < 0 ? -errno() : result;
        } while (result == -EINTR);
        return result;
    }

    @Override
    public int setNonBlocking(int fd) {
        int flags = libc.fcntl(fd, F_GETFL, 0);
        if (flags < 0) {
            return -errno();
        }
        return libc.fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ? -errno() : 0;
    }

    @Override
    public int poll(int[] pollfds, int timeoutMillis) {
        int ready = libc.poll(pollfds, pollfds.length / 2, timeoutMillis);
        return ready < 0 ? -errno() : ready;
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

        private final Pointer pollfds = Memory.allocateDirect(runtime, 2 * POLLFD);
        private final long address = pollfds.address();

        @Override
        public int poll(int first, int second, int timeoutMillis) {
            try {
                set(0, first);
                set(POLLFD, second);
                int ready = libc.poll(address, 2, timeoutMillis);
                return ready < 0 ? -errno() : ready;
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
        int fd = libc.epoll_create1(O_CLOEXEC);
        return fd < 0 ? -errno() : fd;
    }

    @Override
    public int epollControl(int epoll, int operation, int fd, int data) {
        int[] event = new int[EPOLL_EVENT_INTS];
        event[0] = POLLIN;
        event[EPOLL_DATA] = data;
        return libc.epoll_ctl(epoll, operation, fd, event) < 0 ? -errno() : 0;
    }

    @Override
    public int epollWait(int epoll, int[] data, int timeoutMillis) {
        int[] events = new int[data.length * EPOLL_EVENT_INTS];
        int ready = libc.epoll_wait(epoll, events, data.length, timeoutMillis);
        for (int i = 0; i < ready; i++) {
            data[i] = events[i * EPOLL_EVENT_INTS + EPOLL_DATA];
        }
        return ready < 0 ? -errno() : ready;
    }

    @Override
    public int eventfd() {
        int fd = libc.eventfd(0, EFD_CLOEXEC_NONBLOCK);
        return fd < 0 ? -errno() : fd;
    }

    @Override
    public int eventfdSignal(int fd) {
        return libc.eventfd_write(fd, 1) < 0 ? -errno() : 0;
    }

    @Override
    public int eventfdDrain(int fd) {
        return libc.eventfd_read(fd, new long[1]) < 0 ? -errno() : 0;
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        Pointer hint = Pointer.wrap(runtime, address);
        Pointer mapped = libc.mmap(hint, length, protection, flags, fd, offset);
        return mapped != null && mapped.address() == -1 ? -errno() : mapped == null ? 0 : mapped.address();
    }

    @Override
    public int munmap(long address, long length) {
        return libc.munmap(address, length) < 0 ? -errno() : 0;
    }

    @Override
    public int bind(int fd, long address, int length) {
        return libc.bind(fd, address, length) < 0 ? -errno() : 0;
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        int fd = libc.socket(domain, type | O_CLOEXEC, protocol);
        return fd < 0 ? -errno() : fd;
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
        long[] limit = new long[2];
        return libc.getrlimit(RLIMIT_MEMLOCK, limit) < 0 || limit[0] < 0 ? Long.MAX_VALUE : limit[0];
    }

    @Override
    public int pageSize() {
        return (int) libc.sysconf(SC_PAGESIZE);
    }
}
