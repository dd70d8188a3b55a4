// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.libc;

import jnr.constants.platform.linux.AddressFamily;
import jnr.constants.platform.linux.Errno;
import jnr.constants.platform.linux.OpenFlags;
import jnr.constants.platform.linux.Sock;

/**
 * The system calls of the library, with one convention: a non-negative result is the result of the call, a negative
 * result is minus the error number. Only {@link #poll} and {@link #epollWait} return EINTR, because their callers have
 * to recompute a time limit.
 *
 * <p>Addresses are of native memory that the caller keeps alive until the call has returned. Implementations are safe
 * for use by several threads. Tests implement this interface by a scripted kernel.
 */
public interface Syscalls {
    int O_RDONLY = OpenFlags.O_RDONLY.intValue();
    int O_RDWR = OpenFlags.O_RDWR.intValue();
    int O_NONBLOCK = OpenFlags.O_NONBLOCK.intValue();
    int O_CLOEXEC = OpenFlags.O_CLOEXEC.intValue();

    // Not in jnr-constants.
    int PROT_READ = 1;
    int PROT_WRITE = 2;
    int MAP_SHARED = 1;
    int MAP_PRIVATE = 2;
    int MAP_FIXED = 0x10;
    int MAP_ANONYMOUS = 0x20;
    int MAP_NORESERVE = 0x4000;

    int POLLIN = 1;
    int POLLERR = 8;
    int POLLHUP = 16;

    int ENOSYS = Errno.ENOSYS.intValue();

    int EPOLL_CTL_ADD = 1;
    int EPOLL_CTL_DEL = 2;
    int EPOLL_CTL_MOD = 3;

    /** The size of {@code struct epoll_event}, packed on x86-64 only, and the offset of its 8 bytes of user data. */
    int EPOLL_EVENT_BYTES = packsEpollEvents() ? 12 : 16;

    int EPOLL_DATA = packsEpollEvents() ? 4 : 8;

    private static boolean packsEpollEvents() {
        return System.getProperty("os.arch", "").equals("amd64");
    }

    int AF_NETLINK = AddressFamily.AF_NETLINK.intValue();
    int SOCK_RAW = Sock.SOCK_RAW.intValue();
    int NETLINK_RDMA = 20;

    /** open(2). */
    int open(String path, int flags);

    /** close(2); never retried, because Linux releases the number even if the call fails. */
    int close(int fd);

    /** read(2) into native memory. */
    long read(int fd, long address, long length);

    /** write(2) from native memory. */
    long write(int fd, long address, long length);

    /**
     * write(2) of a command that may be sent twice, such as a doorbell: a failed call is repeated, because only the
     * repetition obtains the error number.
     */
    default long ring(int fd, long address, long length) {
        return write(fd, address, length);
    }

    /** ioctl(2) with a pointer argument. */
    int ioctl(int fd, long request, long address);

    /** Sets O_NONBLOCK, keeping the other status flags. */
    int setNonBlocking(int fd);

    /**
     * poll(2). {@code pollfds} holds two ints an entry: the descriptor, then the requested events in the low and, on
     * return, the ready events in the high 16 bits. {@code timeoutMillis} below zero waits without limit.
     */
    int poll(int[] pollfds, int timeoutMillis);

    /** poll(2) for two descriptors, for a thread that waits repeatedly. */
    default PollPair pollPair() {
        return new HeapPollPair(this);
    }

    /** epoll_create1(2), close-on-exec. Scripted kernels need not implement the three epoll calls. */
    default int epollCreate() {
        return -ENOSYS;
    }

    /** epoll_ctl(2); {@code event} is the address of a struct epoll_event. */
    default int epollControl(int epoll, int operation, int fd, long event) {
        return -ENOSYS;
    }

    /** epoll_wait(2) into {@code capacity} elements of an array of struct epoll_event. Returns -EINTR. */
    default int epollWait(int epoll, long events, int capacity, int timeoutMillis) {
        return -ENOSYS;
    }

    /** eventfd(2), non-blocking and close-on-exec. */
    int eventfd();

    /** Adds one to an eventfd. */
    int eventfdSignal(int fd);

    /** Resets an eventfd to zero; -EAGAIN if it was already zero. */
    int eventfdDrain(int fd);

    /** mmap(2). */
    long mmap(long address, long length, int protection, int flags, int fd, long offset);

    /** munmap(2). */
    int munmap(long address, long length);

    /** socket(2). */
    int socket(int domain, int type, int protocol);

    /**
     * bind(2) to the address in {@code length} bytes of native memory. Scripted kernels need not implement this call.
     */
    default int bind(int fd, long address, int length) {
        return -ENOSYS;
    }

    /** The socket calls. Scripted kernels need not implement them. */
    default SocketCalls sockets() {
        throw new UnsupportedOperationException(this + " has no stream sockets");
    }

    /** The device number of a character device (major in bits 8-19, minor in the rest), 0 for any other file. */
    long characterDevice(int fd);

    /** The soft limit of RLIMIT_MEMLOCK in bytes, {@link Long#MAX_VALUE} for none. */
    long lockedMemoryLimit();

    /** The size of a memory page in bytes. */
    int pageSize();
}
