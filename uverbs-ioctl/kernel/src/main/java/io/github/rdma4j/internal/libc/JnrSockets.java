// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.libc;

import static io.github.rdma4j.internal.libc.Binding.result;

import jnr.constants.platform.linux.Errno;

/** The socket calls of the running kernel, by libc. */
final class JnrSockets implements SocketCalls {
    private static final int EINTR = Errno.EINTR.intValue();

    /** Not in jnr-constants. */
    private static final int F_DUPFD_CLOEXEC = 1030;

    /** The first number after the standard streams. */
    private static final int FIRST_OF_OTHERS = 3;

    private final Libc libc;
    private final LibcSockets sockets;

    private JnrSockets(Libc libc, LibcSockets sockets) {
        this.libc = libc;
        this.sockets = sockets;
    }

    static SocketCalls bind() {
        return new JnrSockets(Binding.of(Libc.class), Binding.of(LibcSockets.class));
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return result(libc.socket(domain, type | Syscalls.O_CLOEXEC | SOCK_NONBLOCK, protocol));
    }

    @Override
    public int bind(int fd, long address, int length) {
        return result(libc.bind(fd, address, length));
    }

    @Override
    public int listen(int fd, int backlog) {
        return result(sockets.listen(fd, backlog));
    }

    @Override
    public int connect(int fd, long address, int length) {
        return result(sockets.connect(fd, address, length));
    }

    @Override
    public int accept(int fd, long address, long length) {
        int result;
        do {
            result = result(sockets.accept4(fd, address, length, Syscalls.O_CLOEXEC | SOCK_NONBLOCK));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public long receive(int fd, long address, long length, int flags) {
        long result;
        do {
            result = result(sockets.recv(fd, address, length, flags));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public long send(int fd, long address, long length, int flags) {
        long result;
        do {
            result = result(sockets.send(fd, address, length, flags | MSG_NOSIGNAL));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public long receiveFrom(int fd, long bytes, long length, int flags, long address, long addressLength) {
        long result;
        do {
            result = result(sockets.recvfrom(fd, bytes, length, flags, address, addressLength));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public long sendTo(int fd, long bytes, long length, int flags, long address, int addressLength) {
        long result;
        do {
            result = result(sockets.sendto(fd, bytes, length, flags | MSG_NOSIGNAL, address, addressLength));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public long readVector(int fd, long vector, int count) {
        long result;
        do {
            result = result(sockets.readv(fd, vector, count));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public long writeVector(int fd, long vector, int count) {
        long result;
        do {
            result = result(sockets.writev(fd, vector, count));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public int shutdown(int fd, int how) {
        return result(sockets.shutdown(fd, how));
    }

    @Override
    public int getOption(int fd, int level, int name, long value, long length) {
        return result(sockets.getsockopt(fd, level, name, value, length));
    }

    @Override
    public int setOption(int fd, int level, int name, long value, int length) {
        return result(sockets.setsockopt(fd, level, name, value, length));
    }

    @Override
    public int localName(int fd, long address, long length) {
        return result(sockets.getsockname(fd, address, length));
    }

    @Override
    public int peerName(int fd, long address, long length) {
        return result(sockets.getpeername(fd, address, length));
    }

    @Override
    public int duplicate(int fd) {
        return result(libc.fcntl(fd, F_DUPFD_CLOEXEC, FIRST_OF_OTHERS));
    }

    @Override
    public int duplicateTo(int fd, int number) {
        return result(sockets.dup2(fd, number));
    }

    @Override
    public int pipe(long fds) {
        return result(sockets.pipe2(fds, Syscalls.O_CLOEXEC | SOCK_NONBLOCK));
    }

    @Override
    public int poll(long pollfds, int count, int timeoutMillis) {
        return result(libc.poll(pollfds, count, timeoutMillis));
    }
}
