// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.libc;

import jnr.ffi.provider.jffi.NoX86;

/**
 * The functions of libc for sockets and pipes, as JNR-FFI binds them: see {@link Libc}. A pointer to a {@code
 * socklen_t} is a {@code long}.
 */
@NoX86
public interface LibcSockets {
    int listen(int fd, int backlog);

    int connect(int fd, long address, int length);

    int accept4(int fd, long address, long length, int flags);

    long recv(int fd, long buffer, long length, int flags);

    long send(int fd, long buffer, long length, int flags);

    long recvfrom(int fd, long buffer, long length, int flags, long address, long addressLength);

    long sendto(int fd, long buffer, long length, int flags, long address, int addressLength);

    long readv(int fd, long vector, int count);

    long writev(int fd, long vector, int count);

    int shutdown(int fd, int how);

    int getsockopt(int fd, int level, int name, long value, long length);

    int setsockopt(int fd, int level, int name, long value, int length);

    int getsockname(int fd, long address, long length);

    int getpeername(int fd, long address, long length);

    int dup2(int fd, int number);

    int pipe2(long fds, int flags);
}
