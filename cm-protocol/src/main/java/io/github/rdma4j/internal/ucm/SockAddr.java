// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.GidBytes;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Socket addresses in the kernel's format: {@link SockaddrIn}, {@link SockaddrIn6} or {@link SockaddrIb} at the start
 * of a {@code struct __kernel_sockaddr_storage}.
 */
@KernelConstants({"sys/socket.h", "linux/socket.h"})
public final class SockAddr {
    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;
    public static final int AF_IB = 27;

    private SockAddr() {}

    /**
     * Writes the struct of the address's family at {@code base} and returns its size, which must be exact for the
     * kernel; {@code out} must be in native order. Throws {@link IllegalArgumentException} if the address is not
     * resolved, or neither an {@link InetSocketAddress} nor an {@link IbSocketAddress}.
     */
    public static int encode(ByteBuffer out, int base, SocketAddress address) {
        if (address instanceof IbSocketAddress ib) {
            return encodeIb(out, base, ib);
        }
        InetAddress ip = resolved(address);
        int port = ((InetSocketAddress) address).getPort();
        if (ip instanceof Inet4Address) {
            StructFields.putU16(out, base + SockaddrIn.SIN_FAMILY, AF_INET);
            StructFields.putBe16(out, base + SockaddrIn.SIN_PORT, port);
            out.put(base + SockaddrIn.SIN_ADDR, ip.getAddress());
            StructFields.zero(out, base + SockaddrIn.SIN_ZERO, SockaddrIn.BYTES - SockaddrIn.SIN_ZERO);
            return SockaddrIn.BYTES;
        }
        StructFields.putU16(out, base + SockaddrIn6.SIN6_FAMILY, AF_INET6);
        StructFields.putBe16(out, base + SockaddrIn6.SIN6_PORT, port);
        out.putInt(base + SockaddrIn6.SIN6_FLOWINFO, 0);
        out.put(base + SockaddrIn6.SIN6_ADDR, ip.getAddress());
        out.putInt(base + SockaddrIn6.SIN6_SCOPE_ID, ((Inet6Address) ip).getScopeId());
        return SockaddrIn6.BYTES;
    }

    private static int encodeIb(ByteBuffer out, int base, IbSocketAddress address) {
        StructFields.putU16(out, base + SockaddrIb.SIB_FAMILY, AF_IB);
        StructFields.putBe16(out, base + SockaddrIb.SIB_PKEY, address.pkey());
        out.putInt(base + SockaddrIb.SIB_FLOWINFO, 0);
        GidBytes.encode(address.gid(), out, base + SockaddrIb.SIB_ADDR);
        StructFields.putBe64(out, base + SockaddrIb.SIB_SID, address.serviceId());
        StructFields.putBe64(out, base + SockaddrIb.SIB_SID_MASK, address.serviceIdMask());
        out.putLong(base + SockaddrIb.SIB_SCOPE_ID, address.scopeId());
        return SockaddrIb.BYTES;
    }

    /**
     * Reads the address of {@code size} bytes at {@code base} of a buffer in native order: null if the size is 0.
     * Throws {@link IllegalArgumentException} if the family is not IPv4, IPv6 or InfiniBand, or if the size is wrong
     * for the family.
     */
    public static @Nullable SocketAddress decode(ByteBuffer in, int base, int size) {
        if (size == 0) {
            return null;
        }
        int family = StructFields.getU16(in, base + SockaddrIn.SIN_FAMILY);
        if (family == AF_INET && size == SockaddrIn.BYTES) {
            byte[] ip = new byte[SockaddrIn.SIN_ZERO - SockaddrIn.SIN_ADDR];
            in.get(base + SockaddrIn.SIN_ADDR, ip);
            return new InetSocketAddress(ip(ip, 0), StructFields.getBe16(in, base + SockaddrIn.SIN_PORT));
        }
        if (family == AF_INET6 && size == SockaddrIn6.BYTES) {
            byte[] ip = new byte[SockaddrIn6.SIN6_SCOPE_ID - SockaddrIn6.SIN6_ADDR];
            in.get(base + SockaddrIn6.SIN6_ADDR, ip);
            int scope = in.getInt(base + SockaddrIn6.SIN6_SCOPE_ID);
            return new InetSocketAddress(ip(ip, scope), StructFields.getBe16(in, base + SockaddrIn6.SIN6_PORT));
        }
        if (family == AF_IB && size == SockaddrIb.BYTES) {
            return new IbSocketAddress(
                    StructFields.getBe16(in, base + SockaddrIb.SIB_PKEY),
                    GidBytes.decode(in, base + SockaddrIb.SIB_ADDR),
                    StructFields.getBe64(in, base + SockaddrIb.SIB_SID),
                    StructFields.getBe64(in, base + SockaddrIb.SIB_SID_MASK),
                    in.getLong(base + SockaddrIb.SIB_SCOPE_ID));
        }
        throw new IllegalArgumentException(
                "socket address of family " + family + " and " + size + " bytes at offset " + base);
    }

    private static InetAddress resolved(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            throw new IllegalArgumentException("neither an IP nor an InfiniBand address: " + address);
        }
        InetAddress ip = inet.getAddress();
        if (ip == null) {
            throw new IllegalArgumentException("not resolved: " + address);
        }
        return ip;
    }

    private static InetAddress ip(byte[] bytes, int scope) {
        try {
            // for IPv6 keeps a mapped IPv4 address, unlike InetAddress.getByAddress; -1 is no scope
            return bytes.length == SockaddrIn.SIN_ZERO - SockaddrIn.SIN_ADDR
                    ? InetAddress.getByAddress(bytes)
                    : Inet6Address.getByAddress(null, bytes, scope == 0 ? -1 : scope);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 or 16 bytes are an address", e);
        }
    }

    /** The layout of an IPv4 socket address. */
    @KernelStruct(value = "struct sockaddr_in", header = "netinet/in.h")
    public static final class SockaddrIn {
        public static final int SIN_FAMILY = 0; // sa_family_t: AF_INET, native order
        public static final int SIN_PORT = 2; // __be16
        public static final int SIN_ADDR = 4; // __be32
        public static final int SIN_ZERO = 8; // char[8]
        public static final int BYTES = 16;

        private SockaddrIn() {}
    }

    /** The layout of an IPv6 socket address. */
    @KernelStruct(value = "struct sockaddr_in6", header = "netinet/in.h")
    public static final class SockaddrIn6 {
        public static final int SIN6_FAMILY = 0; // sa_family_t: AF_INET6, native order
        public static final int SIN6_PORT = 2; // __be16
        public static final int SIN6_FLOWINFO = 4; // __be32
        public static final int SIN6_ADDR = 8; // __u8[16]
        public static final int SIN6_SCOPE_ID = 24; // __u32: interface index, native order; 0 for none
        public static final int BYTES = 28;

        private SockaddrIn6() {}
    }

    /** The layout of an InfiniBand socket address. */
    @KernelStruct(value = "struct sockaddr_ib", header = "infiniband/ib.h")
    public static final class SockaddrIb {
        public static final int SIB_FAMILY = 0; // __u16: AF_IB, native order
        public static final int SIB_PKEY = 2; // __be16
        public static final int SIB_FLOWINFO = 4; // __be32
        public static final int SIB_ADDR = 8; // struct ib_addr: GID
        public static final int SIB_SID = 24; // __be64: service id: port space << 16 | port
        public static final int SIB_SID_MASK = 32; // __be64
        public static final int SIB_SCOPE_ID = 40; // __u64
        public static final int BYTES = 48;

        private SockaddrIb() {}
    }
}
