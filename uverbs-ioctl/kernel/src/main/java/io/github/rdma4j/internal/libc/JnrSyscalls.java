// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.libc;

import static io.github.rdma4j.internal.libc.Binding.result;

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
import jnr.constants.platform.linux.Errno;
import jnr.constants.platform.linux.Fcntl;
import jnr.constants.platform.linux.RLIMIT;
import jnr.constants.platform.linux.Sysconf;
import jnr.posix.POSIX;
import jnr.posix.POSIXFactory;

/** The system calls of the running kernel, by libc and, for resource limits, by JNR-POSIX. */
public final class JnrSyscalls implements Syscalls {
    private static final int EINTR = Errno.EINTR.intValue();
    private static final int EBADF = Errno.EBADF.intValue();
    private static final int EFD_CLOEXEC_NONBLOCK = O_CLOEXEC | O_NONBLOCK;

    private static final int EVENTFD_COUNTER_BYTES = 8;

    private static final int S_IFMT = 0170000;
    private static final int S_IFCHR = 0020000;

    private final MemoryIO memory = MemoryIO.getInstance();
    private final Libc libc;
    private final int pageSize;

    private JnrSyscalls(Libc libc) {
        this.libc = libc;
        this.pageSize = (int) libc.sysconf(Sysconf._SC_PAGESIZE.intValue());
    }

    /** Loads libc; throws {@link UnsupportedOperationException} on anything but Linux. */
    public static Syscalls load() {
        String os = System.getProperty("os.name", "");
        if (!os.equals("Linux")) {
            throw new UnsupportedOperationException("rdma4j needs Linux; this system is " + os);
        }
        return OwnThread.call(() -> new JnrSyscalls(Binding.of(Libc.class)));
    }

    @Override
    public int open(String path, int flags) {
        byte[] name = (path + '\0').getBytes(StandardCharsets.UTF_8);
        long address = memory.allocateMemory(name.length, false);
        try {
            memory.putByteArray(address, name, 0, name.length);
            int result;
            do {
                result = result(libc.open(address, flags, 0));
            } while (result == -EINTR);
            return result;
        } finally {
            memory.freeMemory(address);
        }
    }

    @Override
    public int close(int fd) {
        return result(libc.close(fd));
    }

    @Override
    public long read(int fd, long address, long length) {
        long result;
        do {
            result = result(libc.read(fd, address, length));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public long write(int fd, long address, long length) {
        long result;
        do {
            result = result(libc.write(fd, address, length));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public long ring(int fd, long address, long length) {
        long result = libc.writeQuietly(fd, address, length);
        return result < 0 ? write(fd, address, length) : result;
    }

    @Override
    public int ioctl(int fd, long request, long address) {
        int result;
        do {
            result = result(libc.ioctl(fd, request, address));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public int setNonBlocking(int fd) {
        int flags = result(libc.fcntl(fd, Fcntl.F_GETFL.intValue(), 0));
        return flags < 0 ? flags : result(libc.fcntl(fd, Fcntl.F_SETFL.intValue(), flags | O_NONBLOCK));
    }

    @Override
    public int poll(int[] pollfds, int timeoutMillis) {
        long address = memory.allocateMemory((long) pollfds.length * Integer.BYTES, false);
        try {
            memory.putIntArray(address, pollfds, 0, pollfds.length);
            int ready = result(libc.poll(address, pollfds.length / 2, timeoutMillis));
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
                return result(libc.poll(address, 2, timeoutMillis));
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
        return result(libc.epoll_create1(O_CLOEXEC));
    }

    @Override
    public int epollControl(int epoll, int operation, int fd, long event) {
        return result(libc.epoll_ctl(epoll, operation, fd, event));
    }

    @Override
    public int epollWait(int epoll, long events, int capacity, int timeoutMillis) {
        return result(libc.epoll_wait(epoll, events, capacity, timeoutMillis));
    }

    @Override
    public int eventfd() {
        return result(libc.eventfd(0, EFD_CLOEXEC_NONBLOCK));
    }

    @Override
    public int eventfdSignal(int fd) {
        return result(libc.eventfd_write(fd, 1));
    }

    @Override
    public int eventfdDrain(int fd) {
        long counter = memory.allocateMemory(EVENTFD_COUNTER_BYTES, false);
        try {
            return result(libc.eventfd_read(fd, counter));
        } finally {
            memory.freeMemory(counter);
        }
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        return result(libc.mmap(address, length, protection, flags, fd, offset));
    }

    @Override
    public int munmap(long address, long length) {
        return result(libc.munmap(address, length));
    }

    @Override
    public int bind(int fd, long address, int length) {
        return result(libc.bind(fd, address, length));
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return result(libc.socket(domain, type | O_CLOEXEC, protocol));
    }

    @Override
    public SocketCalls sockets() {
        return Sockets.CALLS;
    }

    /** Read through the JDK, because libc exports fstat(2) under that name only since glibc 2.33. */
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
        long soft = Posix.CALLS.getrlimit(RLIMIT.RLIMIT_MEMLOCK.intValue()).rlimCur();
        return soft < 0 ? Long.MAX_VALUE : soft;
    }

    @Override
    public int pageSize() {
        return pageSize;
    }

    /** Bound on first use of a socket. */
    private static final class Sockets {
        static final SocketCalls CALLS = OwnThread.call(JnrSockets::bind);
    }

    /** Loaded on first use, because JNR-POSIX takes longer to load than the rest of JNR. */
    private static final class Posix {
        static final POSIX CALLS = OwnThread.call(POSIXFactory::getNativePOSIX);
    }
}
