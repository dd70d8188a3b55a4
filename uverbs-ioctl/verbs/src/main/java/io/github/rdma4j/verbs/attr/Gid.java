// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * A global identifier (GID, {@code union ibv_gid}), the address of a port: 16 bytes in the form of an IPv6 address. A
 * RoCE v2 port has a GID for each of its IP addresses; an IPv4 address is mapped as {@code ::ffff:a.b.c.d}.
 *
 * @param prefix the first eight bytes as a big-endian number
 * @param interfaceId the last eight bytes as a big-endian number
 */
public record Gid(long prefix, long interfaceId) {
    private static final long V4_MAPPED = 0xffff_0000_0000L;
    private static final int BYTES = 16;
    private static final int GROUPS = 8;
    private static final int GROUP_DIGITS = 4;

    /** Returns the RoCE v2 GID of an IP address; the scope of an IPv6 address is dropped. */
    public static Gid of(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        if (address instanceof Inet4Address) {
            return ofIpv4(bytes.getInt(0));
        }
        return new Gid(bytes.getLong(0), bytes.getLong(Long.BYTES));
    }

    /** Returns the RoCE v2 GID of an IPv4 address. */
    static Gid ofIpv4(int address) {
        return new Gid(0, V4_MAPPED | Integer.toUnsignedLong(address));
    }

    /**
     * Parses a GID in the format of sysfs: eight groups of four hexadecimal digits, such as {@code
     * fe80:0000:0000:0000:b4d2:24ff:fe16:98a4}.
     *
     * @throws IllegalArgumentException if {@code text} has another form
     */
    public static Gid parse(String text) {
        String[] groups = text.split(":", -1);
        if (groups.length != GROUPS) {
            throw new IllegalArgumentException("not a GID, 8 groups of 4 hexadecimal digits: " + text);
        }
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        for (String group : groups) {
            if (group.length() != GROUP_DIGITS) {
                throw new IllegalArgumentException("not a GID, 8 groups of 4 hexadecimal digits: " + text);
            }
            bytes.putShort((short) HexFormat.fromHexDigits(group));
        }
        return new Gid(bytes.getLong(0), bytes.getLong(Long.BYTES));
    }

    /** Returns true if all bytes are zero, as in an empty entry of a GID table. */
    public boolean isZero() {
        return prefix == 0 && interfaceId == 0;
    }

    /** Returns true if this is the GID of an IPv4 address. */
    public boolean isV4Mapped() {
        return prefix == 0 && interfaceId >>> Integer.SIZE == V4_MAPPED >>> Integer.SIZE;
    }

    /** Returns the IP address of this GID: IPv4 if {@link #isV4Mapped()}, otherwise IPv6 without a scope. */
    public InetAddress toAddress() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).putLong(prefix).putLong(interfaceId);
        try {
            return InetAddress.getByAddress(bytes.array()); // returns an Inet4Address for a mapped address
        } catch (UnknownHostException e) {
            throw new AssertionError("16 bytes are a valid address", e);
        }
    }

    /**
     * Returns the GID for messages: an IPv4 address as {@code ::ffff:239.4.4.4}, another GID in the format of sysfs.
     */
    String toText() {
        return isV4Mapped() ? "::ffff:" + toAddress().getHostAddress() : toString();
    }

    /** Returns the format of sysfs, which {@link #parse} reads. */
    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        StringBuilder text = new StringBuilder(hex.toHexDigits(prefix) + hex.toHexDigits(interfaceId));
        for (int group = GROUPS - 1; group > 0; group--) {
            text.insert(group * GROUP_DIGITS, ':');
        }
        return text.toString();
    }
}
