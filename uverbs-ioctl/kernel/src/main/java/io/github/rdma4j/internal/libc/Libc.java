// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.libc;

import jnr.ffi.annotations.IgnoreError;
import jnr.ffi.provider.jffi.NoX86;

/**
 * The functions of libc for descriptors, waiting and memory, as JNR-FFI binds them. An address, a {@code size_t}, an
 * {@code off_t} and an {@code unsigned long} of C are a {@code long}, as x86-64 and arm64 have them.
 *
 * <p>{@link NoX86} keeps JNR-FFI from compiling machine code for each function, which takes longer than the rest of the
 * binding and passes a wrong sixth argument (docs/adr/0043). Public, because JNR-FFI implements the interface in a
 * package of its own.
 */
@NoX86
public interface Libc {
    /** {@code mode} is used only if the call creates a file. */
    int open(long path, int flags, int mode);

    int close(int fd);

    long read(int fd, long buffer, long count);

    long write(int fd, long buffer, long count);

    /** write(2) without errno: saves a seventh of the cost of the binding. */
    @IgnoreError
    long writeQuietly(int fd, long buffer, long count);

    int ioctl(int fd, long request, long argument);

    int fcntl(int fd, int command, int argument);

    int poll(long pollfds, long count, int timeout);

    int epoll_create1(int flags);

    int epoll_ctl(int epoll, int operation, int fd, long event);

    int epoll_wait(int epoll, long events, int capacity, int timeout);

    int eventfd(int initial, int flags);

    int eventfd_write(int fd, long value);

    int eventfd_read(int fd, long value);

    long mmap(long address, long length, int protection, int flags, int fd, long offset);

    int munmap(long address, long length);

    int socket(int domain, int type, int protocol);

    int bind(int fd, long address, int length);

    long sysconf(int name);
}
