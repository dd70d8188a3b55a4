// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.syscall;

import jnr.ffi.Pointer;
import jnr.ffi.annotations.In;
import jnr.ffi.annotations.Out;
import jnr.ffi.types.off_t;
import jnr.ffi.types.size_t;
import jnr.ffi.types.ssize_t;

/** The functions of libc that the system calls need. */
public interface Libc {
    int open(String path, int flags, int mode);

    int close(int fd);

    @ssize_t
    long read(int fd, long buffer, @size_t long count);

    @ssize_t
    long write(int fd, long buffer, @size_t long count);

    int ioctl(int fd, long request, long argument);

    /** Variadic in C; on x86-64 and arm64 a third integer is passed like a declared one. */
    int fcntl(int fd, int command, long argument);

    int getrlimit(int resource, @Out long[] limit);

    long sysconf(int name);

    /**
     * The first parameter is a {@code Pointer} although a number would do: jnr-ffi's x86-64 stub for calls of exactly
     * six integers passes its own return address as the sixth (docs/adr/0002).
     */
    Pointer mmap(Pointer address, @size_t long length, int protection, int flags, int fd, @off_t long offset);

    int munmap(long address, @size_t long length);

    int poll(@In @Out int[] pollfds, long count, int timeout);

    int poll(long pollfds, long count, int timeout);

    int epoll_create1(int flags);

    int epoll_ctl(int epoll, int operation, int fd, @In int[] event);

    int epoll_wait(int epoll, @Out int[] events, int capacity, int timeout);

    int eventfd(int initial, int flags);

    int eventfd_write(int fd, long value);

    int eventfd_read(int fd, @Out long[] value);

    int socket(int domain, int type, int protocol);

    int bind(int fd, long address, int length);
}
