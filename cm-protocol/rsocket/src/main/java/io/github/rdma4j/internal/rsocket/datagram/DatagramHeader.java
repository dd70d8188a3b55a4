// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.datagram;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * The header in front of each datagram ({@code struct ds_header} of rsocket.c), which names the sender. Big endian, as buffers are:
 *
 * <pre>{@code
 * 0  version, 4 or 6
 * 1  length of the header, 8 or 24
 * 2  port
 * 4  IPv4 address, or flow information with an IPv6 address at 8
 * }</pre>
 */
final class DatagramHeader {
    static final int IPV4_BYTES = 8;
    static final int IPV6_BYTES = 24;

    private static final int LENGTH = 1;
    private static final int PORT = 2;
    private static final int IPV4_ADDRESS = 4;
    private static final int IPV6_ADDRESS = 8;
    private static final byte VERSION_4 = 4;
    private static final byte VERSION_6 = 6;

    private DatagramHeader() {}

    /** The header of datagrams from {@code sender}. */
    static byte[] of(InetSocketAddress sender) {
        byte[] address = sender.getAddress().getAddress();
        boolean ipv4 = sender.getAddress() instanceof Inet4Address;
        ByteBuffer header = ByteBuffer.allocate(ipv4 ? IPV4_BYTES : IPV6_BYTES);
        header.put(0, ipv4 ? VERSION_4 : VERSION_6);
        header.put(LENGTH, (byte) header.capacity());
        header.putShort(PORT, (short) sender.getPort());
        header.put(ipv4 ? IPV4_ADDRESS : IPV6_ADDRESS, address);
        return header.array();
    }

    /** The length of the header at {@code offset} of a datagram that ends at {@code end}; 0 if there is no valid header. */
    static int length(ByteBuffer in, int offset, int end) {
        if (end - offset < IPV4_BYTES) {
            return 0;
        }
        int length = in.get(offset) == VERSION_4 ? IPV4_BYTES : IPV6_BYTES;
        boolean valid = in.get(offset) == VERSION_4 || in.get(offset) == VERSION_6;
        return valid && in.get(offset + LENGTH) == length && end - offset >= length ? length : 0;
    }

    /** The sender that a valid header of {@code length} bytes names. */
    static InetSocketAddress sender(ByteBuffer in, int offset, int length) {
        boolean ipv4 = length == IPV4_BYTES;
        byte[] address = new byte[ipv4 ? Integer.BYTES : 2 * Long.BYTES];
        in.get(offset + (ipv4 ? IPV4_ADDRESS : IPV6_ADDRESS), address);
        int port = Short.toUnsignedInt(in.getShort(offset + PORT));
        return new InetSocketAddress(address(address), port);
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(bytes.length + " bytes are no address", e);
        }
    }
}
