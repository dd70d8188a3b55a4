// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.syscall;

/** The socket calls of the running kernel, by libc. Bound by the first program that uses sockets. */
final class JnrSockets implements SocketCalls {
    private static final int EINTR = 4;
    private static final int F_DUPFD_CLOEXEC = 1030;

    /** The number after those of the standard streams. */
    private static final int FIRST_OF_OTHERS = 3;

    private final Libc libc;
    private final long socket;
    private final long bind;
    private final long listen;
    private final long connect;
    private final long accept;
    private final long receive;
    private final long send;
    private final long receiveFrom;
    private final long sendTo;
    private final long readVector;
    private final long writeVector;
    private final long shutdown;
    private final long getOption;
    private final long setOption;
    private final long localName;
    private final long peerName;
    private final long control;
    private final long duplicateTo;
    private final long pipe;
    private final long epollControl;
    private final long epollWait;
    private final long poll;

    private JnrSockets(Libc libc) {
        this.libc = libc;
        socket = libc.function("socket");
        bind = libc.function("bind");
        listen = libc.function("listen");
        connect = libc.function("connect");
        accept = libc.function("accept4");
        receive = libc.function("recv");
        send = libc.function("send");
        receiveFrom = libc.function("recvfrom");
        sendTo = libc.function("sendto");
        readVector = libc.function("readv");
        writeVector = libc.function("writev");
        shutdown = libc.function("shutdown");
        getOption = libc.function("getsockopt");
        setOption = libc.function("setsockopt");
        localName = libc.function("getsockname");
        peerName = libc.function("getpeername");
        control = libc.function("fcntl");
        duplicateTo = libc.function("dup2");
        pipe = libc.function("pipe2");
        epollControl = libc.function("epoll_ctl");
        epollWait = libc.function("epoll_wait");
        poll = libc.function("poll");
    }

    static SocketCalls running() {
        return Running.CALLS;
    }

    private static final class Running {
        static final SocketCalls CALLS = OwnThread.call(JnrSockets::load);
    }

    private static SocketCalls load() {
        return new JnrSockets(new Libc(System.getProperty(JnrSyscalls.LIBRARY_PROPERTY, Libc.DEFAULT)));
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
    public int socket(int domain, int type, int protocol) {
        return result(libc.call(socket, domain, type | Syscalls.O_CLOEXEC | SOCK_NONBLOCK, protocol));
    }

    @Override
    public int bind(int fd, long address, int length) {
        return result(libc.call(bind, fd, address, length));
    }

    @Override
    public int listen(int fd, int backlog) {
        return result(libc.call(listen, fd, backlog));
    }

    @Override
    public int connect(int fd, long address, int length) {
        return result(libc.call(connect, fd, address, length));
    }

    @Override
    public int accept(int fd, long address, long length) {
        int result;
        do {
            result = result(libc.call(accept, fd, address, length, Syscalls.O_CLOEXEC | SOCK_NONBLOCK));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public long receive(int fd, long address, long length, int flags) {
        long result;
        do {
            result = longResult(libc.call(receive, fd, address, length, flags));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public long send(int fd, long address, long length, int flags) {
        long result;
        do {
            result = longResult(libc.call(send, fd, address, length, flags | MSG_NOSIGNAL));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public long receiveFrom(int fd, long bytes, long length, int flags, long address, long addressLength) {
        long result;
        do {
            result = longResult(libc.call(receiveFrom, fd, bytes, length, flags, address, addressLength));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public long sendTo(int fd, long bytes, long length, int flags, long address, int addressLength) {
        long result;
        do {
            result = longResult(libc.call(sendTo, fd, bytes, length, flags | MSG_NOSIGNAL, address, addressLength));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public long readVector(int fd, long vector, int count) {
        long result;
        do {
            result = longResult(libc.call(readVector, fd, vector, count));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public long writeVector(int fd, long vector, int count) {
        long result;
        do {
            result = longResult(libc.call(writeVector, fd, vector, count));
        } while (result == -EINTR);
        return result;
    }

    @Override
    public int shutdown(int fd, int how) {
        return result(libc.call(shutdown, fd, how));
    }

    @Override
    public int getOption(int fd, int level, int name, long value, long length) {
        return result(libc.call(getOption, fd, level, name, value, length));
    }

    @Override
    public int setOption(int fd, int level, int name, long value, int length) {
        return result(libc.call(setOption, fd, level, name, value, length));
    }

    @Override
    public int localName(int fd, long address, long length) {
        return result(libc.call(localName, fd, address, length));
    }

    @Override
    public int peerName(int fd, long address, long length) {
        return result(libc.call(peerName, fd, address, length));
    }

    @Override
    public int duplicate(int fd) {
        return result(libc.call(control, fd, F_DUPFD_CLOEXEC, FIRST_OF_OTHERS));
    }

    @Override
    public int duplicateTo(int fd, int number) {
        return result(libc.call(duplicateTo, fd, number));
    }

    @Override
    public int pipe(long fds) {
        return result(libc.call(pipe, fds, Syscalls.O_CLOEXEC | SOCK_NONBLOCK));
    }

    @Override
    public int epollControl(int epoll, int operation, int fd, long event) {
        return result(libc.call(epollControl, epoll, operation, fd, event));
    }

    @Override
    public int epollWait(int epoll, long events, int capacity, int timeoutMillis) {
        return result(libc.call(epollWait, epoll, events, capacity, timeoutMillis));
    }

    @Override
    public int poll(long pollfds, int count, int timeoutMillis) {
        return result(libc.call(poll, pollfds, count, timeoutMillis));
    }
}
