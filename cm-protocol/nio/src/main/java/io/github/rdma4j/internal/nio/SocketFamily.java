// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.SocketCalls;
import io.github.rdma4j.internal.libc.Syscalls;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The protocol family of a socket: which addresses it has, and what they are to the kernel. */
enum SocketFamily {
    INET(SocketCalls.AF_INET),
    /** These sockets also take addresses of IPv4. */
    INET6(SocketCalls.AF_INET6),
    UNIX(SocketCalls.AF_UNIX);

    private final int domain;

    SocketFamily(int domain) {
        this.domain = domain;
    }

    /** Whether sockets of IPv6 can be made, and the JVM was not told to prefer IPv4. */
    static boolean hasIpv6() {
        return Ipv6.EXISTS;
    }

    private static final class Ipv6 {
        static final boolean EXISTS = !Boolean.getBoolean("java.net.preferIPv4Stack") && canOpen();

        private static boolean canOpen() {
            Syscalls syscalls = LinuxKernel.running().syscalls();
            int number = syscalls.sockets().socket(SocketCalls.AF_INET6, SocketCalls.SOCK_STREAM, 0);
            return number >= 0 && syscalls.close(number) >= 0;
        }
    }

    /** The family of sockets for which a program names none. */
    static SocketFamily initial() {
        return hasIpv6() ? INET6 : INET;
    }

    /** @throws UnsupportedOperationException if this machine has no such sockets */
    static SocketFamily of(ProtocolFamily family) {
        Objects.requireNonNull(family);
        if (family == StandardProtocolFamily.INET) {
            return INET;
        }
        if (family == StandardProtocolFamily.INET6 && hasIpv6()) {
            return INET6;
        }
        if (family == StandardProtocolFamily.UNIX) {
            return UNIX;
        }
        throw new UnsupportedOperationException("Protocol family not supported: " + family);
    }

    /** As {@link #of}, for datagrams. */
    static SocketFamily ofDatagrams(ProtocolFamily family) {
        SocketFamily found = of(family);
        if (found.isUnix()) {
            throw new UnsupportedOperationException("Protocol family not supported: " + family);
        }
        return found;
    }

    /** The family with this number of the kernel; null for another. */
    static @Nullable SocketFamily ofDomain(int domain) {
        for (SocketFamily family : values()) {
            if (family.domain == domain) {
                return family;
            }
        }
        return null;
    }

    int domain() {
        return domain;
    }

    boolean isIpv6() {
        return this == INET6;
    }

    boolean isUnix() {
        return this == UNIX;
    }

    /** The classes of {@code java.net} have no Unix domain. */
    void checkHasSockets() {
        if (isUnix()) {
            throw new UnsupportedOperationException("Not supported");
        }
    }

    /** {@code address}, if a socket of this family can be bound to it; null stands for any. */
    SocketAddress local(@Nullable SocketAddress address) {
        if (isUnix()) {
            return address == null ? UnixAddresses.UNNAMED : UnixAddresses.check(address);
        }
        return address == null ? SocketAddresses.any(isIpv6(), 0) : SocketAddresses.check(address, isIpv6());
    }

    /** {@code address}, if a socket of this family can connect to it. */
    SocketAddress remote(SocketAddress address) {
        return isUnix() ? UnixAddresses.check(address) : SocketAddresses.remote(address, isIpv6());
    }

    /** Writes a checked address to the beginning of {@code out}, and returns the number of bytes. */
    int encode(SocketAddress address, ByteBuffer out) {
        return isUnix()
                ? UnixAddresses.encode(address, out)
                : SocketAddresses.encode(SocketAddresses.inet(address), isIpv6(), out);
    }

    /** Reads an address of {@code length} bytes. */
    SocketAddress decode(ByteBuffer in, int length) {
        return isUnix() ? UnixAddresses.decode(in, length) : SocketAddresses.decode(in);
    }
}
