// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.libc;

import jnr.constants.platform.linux.AddressFamily;
import jnr.constants.platform.linux.Sock;

/**
 * The system calls for sockets and pipes, with the convention of {@link Syscalls}: a
 * result below zero is minus the error number. Addresses are of native memory that the caller keeps alive until the
 * call has returned.
 *
 * <p>Made by {@link Syscalls#sockets()}. Safe for use by several threads.
 */
public interface SocketCalls {
    int AF_UNSPEC = AddressFamily.AF_UNSPEC.intValue();
    int AF_UNIX = AddressFamily.AF_UNIX.intValue();
    int AF_INET = AddressFamily.AF_INET.intValue();
    int AF_INET6 = AddressFamily.AF_INET6.intValue();
    int SOCK_STREAM = Sock.SOCK_STREAM.intValue();
    int SOCK_DGRAM = Sock.SOCK_DGRAM.intValue();
    int SOCK_NONBLOCK = Syscalls.O_NONBLOCK;

    int SOL_SOCKET = 1;
    int SO_REUSEADDR = 2;
    int SO_TYPE = 3;
    int SO_ERROR = 4;
    int SO_BROADCAST = 6;
    int SO_SNDBUF = 7;
    int SO_RCVBUF = 8;
    int SO_KEEPALIVE = 9;
    int SO_OOBINLINE = 10;
    int SO_LINGER = 13;
    int SO_REUSEPORT = 15;
    int SO_PEERCRED = 17;
    int SO_DOMAIN = 39;
    int SO_INCOMING_NAPI_ID = 56;
    int IPPROTO_IP = 0;
    int IP_TOS = 1;
    int IP_MTU_DISCOVER = 10;
    int IP_PMTUDISC_DONT = 0;
    int IP_PMTUDISC_DO = 2;
    int IP_MULTICAST_IF = 32;
    int IP_MULTICAST_TTL = 33;
    int IP_MULTICAST_LOOP = 34;
    int IP_ADD_MEMBERSHIP = 35;
    int IP_DROP_MEMBERSHIP = 36;
    int IP_UNBLOCK_SOURCE = 37;
    int IP_BLOCK_SOURCE = 38;
    int IP_ADD_SOURCE_MEMBERSHIP = 39;
    int IP_DROP_SOURCE_MEMBERSHIP = 40;
    int MCAST_BLOCK_SOURCE = 43;
    int MCAST_UNBLOCK_SOURCE = 44;
    int MCAST_JOIN_SOURCE_GROUP = 46;
    int MCAST_LEAVE_SOURCE_GROUP = 47;
    int IP_MULTICAST_ALL = 49;
    int IPPROTO_TCP = 6;
    int TCP_NODELAY = 1;
    int TCP_KEEPIDLE = 4;
    int TCP_KEEPINTVL = 5;
    int TCP_KEEPCNT = 6;
    int TCP_QUICKACK = 12;
    int IPPROTO_IPV6 = 41;
    int IPV6_MULTICAST_IF = 17;
    int IPV6_MULTICAST_HOPS = 18;
    int IPV6_MULTICAST_LOOP = 19;
    int IPV6_JOIN_GROUP = 20;
    int IPV6_LEAVE_GROUP = 21;
    int IPV6_MTU_DISCOVER = 23;
    int IPV6_V6ONLY = 26;
    int IPV6_MULTICAST_ALL = 29;
    int IPV6_TCLASS = 67;

    int MSG_OOB = 1;
    int MSG_NOSIGNAL = 0x4000;
    int SHUT_RD = 0;
    int SHUT_WR = 1;
    long FIONREAD = 0x541b;

    int POLLIN = Syscalls.POLLIN;
    int POLLOUT = 4;
    int POLLERR = Syscalls.POLLERR;
    int POLLHUP = Syscalls.POLLHUP;
    int EPOLLONESHOT = 1 << 30;
    int EPOLLET = 1 << 31;

    /** socket(2), close-on-exec and non-blocking. */
    int socket(int domain, int type, int protocol);

    /** bind(2). */
    int bind(int fd, long address, int length);

    /** listen(2). */
    int listen(int fd, int backlog);

    /** connect(2). */
    int connect(int fd, long address, int length);

    /** accept4(2), close-on-exec and non-blocking; {@code length} is the address of a socklen_t. */
    int accept(int fd, long address, long length);

    /** recv(2). */
    long receive(int fd, long address, long length, int flags);

    /** send(2), without SIGPIPE. */
    long send(int fd, long address, long length, int flags);

    /** recvfrom(2); {@code addressLength} is the address of a socklen_t. */
    long receiveFrom(int fd, long bytes, long length, int flags, long address, long addressLength);

    /** sendto(2), without SIGPIPE. */
    long sendTo(int fd, long bytes, long length, int flags, long address, int addressLength);

    /** readv(2) into the {@code count} elements of an array of struct iovec. */
    long readVector(int fd, long vector, int count);

    /** writev(2) from the {@code count} elements of an array of struct iovec. The JVM ignores SIGPIPE. */
    long writeVector(int fd, long vector, int count);

    /** shutdown(2). */
    int shutdown(int fd, int how);

    /** getsockopt(2); {@code length} is the address of a socklen_t. */
    int getOption(int fd, int level, int name, long value, long length);

    /** setsockopt(2). */
    int setOption(int fd, int level, int name, long value, int length);

    /** getsockname(2); {@code length} is the address of a socklen_t. */
    int localName(int fd, long address, long length);

    /** getpeername(2); {@code length} is the address of a socklen_t. */
    int peerName(int fd, long address, long length);

    /** fcntl(2) with F_DUPFD_CLOEXEC: duplicates {@code fd} to a number above the standard streams. */
    int duplicate(int fd);

    /** dup2(2): makes {@code number} a duplicate of {@code fd}. */
    int duplicateTo(int fd, int number);

    /** pipe2(2), close-on-exec and non-blocking; {@code fds} is the address of two ints. */
    int pipe(long fds);

    /** poll(2) of {@code count} elements of an array of struct pollfd. Returns -EINTR. */
    int poll(long pollfds, int count, int timeoutMillis);
}
