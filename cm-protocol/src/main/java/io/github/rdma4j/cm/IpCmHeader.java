// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The header that the kernel puts before the private data of a request between IP addresses, so that the passive side
 * learns them (IP addressing annex of the InfiniBand specification; {@code struct cma_hdr} of the kernel, {@code struct
 * ib_connect_hdr} of librdmacm). Every field is in network byte order:
 *
 * <pre>
 *  0  version, 0
 *  1  4 or 6 in the upper four bits
 *  2  source port, 16 bits
 *  4  source address, 16 bytes; an IPv4 address in the last four, after zeros
 * 20  destination address, as the source address
 * 36  the caller's private data
 * </pre>
 *
 * <p>This class is for programs whose ids have an InfiniBand address ({@link IbSocketAddress}). Such an id receives all private
 * data as it was sent: the program must remove the header of a peer that has an IP address, and must add a header to what it
 * sends to a listener that has an IP address. For an id with an IP address the kernel adds and removes the header, which
 * leaves less room for private data ({@link PrivateDataLimits}). The header has no destination port: the service id holds
 * the destination port.
 *
 * @param source address and port of the active side
 * @param destination address of the passive side, of the same family
 */
public record IpCmHeader(InetSocketAddress source, InetAddress destination) {
    /** The length of the header in bytes. */
    public static final int BYTES = 36;

    private static final int VERSION = 0;
    private static final int IP_VERSION = 1;
    private static final int PORT = 2;
    private static final int SOURCE = 4;
    private static final int DESTINATION = 20;
    private static final int IP_VERSION_SHIFT = 4;
    private static final int IPV4 = 4;
    private static final int IPV6 = 6;
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;
    private static final int U16_MASK = 0xffff;

    /** Throws {@link IllegalArgumentException} for addresses of two families, and for a name that was not resolved. */
    public IpCmHeader {
        if (source.getAddress() == null) {
            throw new IllegalArgumentException(source + " is a name that was not resolved; it must have an address");
        }
        if (source.getAddress().getClass() != destination.getClass()) {
            throw new IllegalArgumentException(
                    source + " and " + destination + " are of two families; both must be IPv4, or both IPv6");
        }
    }

    /**
     * Reads the header at the start of private data.
     *
     * @throws IllegalArgumentException for fewer than {@link #BYTES} bytes, another version, or neither IPv4 nor IPv6
     */
    public static IpCmHeader decode(byte[] privateData) {
        if (privateData.length < BYTES) {
            throw new IllegalArgumentException(
                    privateData.length + " bytes of private data are no IP header of " + BYTES);
        }
        ByteBuffer in = ByteBuffer.wrap(privateData);
        int ip = Byte.toUnsignedInt(in.get(IP_VERSION)) >> IP_VERSION_SHIFT;
        if (in.get(VERSION) != 0 || (ip != IPV4 && ip != IPV6)) {
            throw new IllegalArgumentException("private data starts with version " + in.get(VERSION) + ", IP version "
                    + ip + ": no IP header, or one that is not known");
        }
        int port = in.getShort(PORT) & U16_MASK;
        return new IpCmHeader(
                new InetSocketAddress(address(privateData, SOURCE, ip), port), address(privateData, DESTINATION, ip));
    }

    private static InetAddress address(byte[] data, int offset, int ip) {
        int length = ip == IPV4 ? IPV4_BYTES : IPV6_BYTES;
        int end = offset + IPV6_BYTES;
        byte[] bytes = Arrays.copyOfRange(data, end - length, end);
        try {
            // Unlike InetAddress.getByAddress this keeps a mapped IPv4 address in IPv6.
            return ip == IPV4 ? InetAddress.getByAddress(bytes) : Inet6Address.getByAddress(null, bytes, -1);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("an address of " + bytes.length + " bytes; it must have 4 or 16", e);
        }
    }

    /** The private data of a request: this header, followed by {@code privateData}. */
    public byte[] prependTo(byte[] privateData) {
        ByteBuffer out = ByteBuffer.allocate(BYTES + privateData.length);
        int ip = destination instanceof Inet4Address ? IPV4 : IPV6;
        out.put(IP_VERSION, (byte) (ip << IP_VERSION_SHIFT));
        out.putShort(PORT, (short) source.getPort());
        put(out, SOURCE, source.getAddress());
        put(out, DESTINATION, destination);
        out.put(BYTES, privateData);
        return out.array();
    }

    private static void put(ByteBuffer out, int offset, InetAddress address) {
        byte[] bytes = address.getAddress();
        out.put(offset + IPV6_BYTES - bytes.length, bytes);
    }
}
