// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.libc.SocketCalls;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code struct sockaddr_in} and {@code struct sockaddr_in6}. */
final class SocketAddresses {
    static final int MAX_BYTES = 28;

    private static final int FAMILY = 0;
    private static final int PORT = 2;
    private static final int ADDRESS_4 = 4;
    private static final int BYTES_4 = 16;
    private static final int ADDRESS_6 = 8;
    private static final int SCOPE = 24;
    private static final int MAPPED = 10;
    private static final int LENGTH_6 = 16;

    private SocketAddresses() {}

    /**
     * Writes {@code address} to the beginning of {@code out}, for a socket of IPv6 as an address of IPv6, and returns the number of
     * bytes.
     */
    static int encode(InetSocketAddress address, boolean ipv6, ByteBuffer out) {
        for (int i = 0; i < MAX_BYTES; i++) {
            out.put(i, (byte) 0);
        }
        byte[] bytes = address.getAddress().getAddress();
        out.order(ByteOrder.BIG_ENDIAN).putShort(PORT, (short) address.getPort());
        out.order(ByteOrder.nativeOrder());
        if (!ipv6) {
            out.putShort(FAMILY, (short) SocketCalls.AF_INET);
            out.put(ADDRESS_4, bytes);
            return BYTES_4;
        }
        out.putShort(FAMILY, (short) SocketCalls.AF_INET6);
        if (address.getAddress() instanceof Inet6Address six) {
            out.put(ADDRESS_6, bytes);
            out.putInt(SCOPE, six.getScopeId());
        } else if (!address.getAddress().isAnyLocalAddress()) {
            out.putShort(ADDRESS_6 + MAPPED, (short) -1);
            out.put(ADDRESS_6 + MAPPED + 2, bytes);
        }
        return MAX_BYTES;
    }

    /** Reads an address; an address of IPv4 in an address of IPv6 comes as IPv4. */
    static InetSocketAddress decode(ByteBuffer in) {
        int port = in.order(ByteOrder.BIG_ENDIAN).getShort(PORT) & 0xffff;
        in.order(ByteOrder.nativeOrder());
        byte[] bytes = new byte[in.getShort(FAMILY) == SocketCalls.AF_INET6 ? LENGTH_6 : 4];
        in.get(bytes.length == LENGTH_6 ? ADDRESS_6 : ADDRESS_4, bytes);
        try {
            InetAddress address = InetAddress.getByAddress(bytes);
            int scope = bytes.length == LENGTH_6 ? in.getInt(SCOPE) : 0;
            if (scope != 0 && address instanceof Inet6Address) {
                address = Inet6Address.getByAddress(null, bytes, scope);
            }
            return new InetSocketAddress(address, port);
        } catch (UnknownHostException e) {
            throw new AssertionError("invalid address length: " + bytes.length, e);
        }
    }

    /** {@code address}, if it is one that a socket can have. */
    static InetSocketAddress check(SocketAddress address, boolean ipv6) {
        Objects.requireNonNull(address);
        if (!(address instanceof InetSocketAddress inet)) {
            throw new UnsupportedAddressTypeException();
        }
        if (inet.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        if (!ipv6 && !(inet.getAddress() instanceof Inet4Address)) {
            throw new UnsupportedAddressTypeException();
        }
        return inet;
    }

    /** Where to connect to: the wildcard address means this machine. */
    static InetSocketAddress remote(SocketAddress address, boolean ipv6) {
        InetSocketAddress inet = check(address, ipv6);
        if (!inet.getAddress().isAnyLocalAddress()) {
            return inet;
        }
        byte[] loopback = inet.getAddress() instanceof Inet4Address ? new byte[] {127, 0, 0, 1} : new byte[LENGTH_6];
        if (loopback.length == LENGTH_6) {
            loopback[LENGTH_6 - 1] = 1;
        }
        return at(loopback, inet.getPort());
    }

    /** {@code address}, which is known to be one of IP. */
    static InetSocketAddress inet(SocketAddress address) {
        if (address instanceof InetSocketAddress inet) {
            return inet;
        }
        throw new IllegalStateException(address + " is no address of IP");
    }

    /** As {@link #inet}, for an address that may be missing. */
    static @Nullable InetSocketAddress inetOrNull(@Nullable SocketAddress address) {
        return address == null ? null : inet(address);
    }

    /** The address of IPv4 with these bits. */
    static InetAddress inet4(int bits) {
        byte[] bytes = {(byte) (bits >> 24), (byte) (bits >> 16), (byte) (bits >> 8), (byte) bits};
        return at(bytes, 0).getAddress();
    }

    /** The wildcard address with {@code port}. */
    static InetSocketAddress any(boolean ipv6, int port) {
        return at(new byte[ipv6 ? LENGTH_6 : 4], port);
    }

    private static InetSocketAddress at(byte[] address, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(address), port);
        } catch (UnknownHostException e) {
            throw new AssertionError("invalid address length: " + address.length, e);
        }
    }
}
