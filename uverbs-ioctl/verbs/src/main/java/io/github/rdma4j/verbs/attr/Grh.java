// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.internal.uverbs.PacketHeaders.GrhLayout;
import io.github.rdma4j.internal.uverbs.PacketHeaders.Ipv4HeaderLayout;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The global route header ({@code struct ibv_grh}) that the device writes in front of each received datagram. It
 * contains the addresses of the sender and the destination.
 *
 * <p>A receive buffer of a datagram queue pair needs {@link #BYTES} bytes for the header, followed by the message. The
 * header is valid if {@code WorkCompletion.hasGrh} returns true.
 *
 * @param source GID of the sender
 * @param destination GID that the datagram was sent to: a GID of this port or of a multicast group
 * @param trafficClass traffic class, 0 to 255; with IPv4 the type of service
 * @param flowLabel flow label, 20 bits; 0 with IPv4
 * @param hopLimit remaining hops, 0 to 255; with IPv4 the time to live
 */
public record Grh(Gid source, Gid destination, int trafficClass, int flowLabel, int hopLimit) {
    /** The number of bytes in front of the message in a datagram's receive buffer. */
    public static final int BYTES = GrhLayout.BYTES;

    /**
     * The offset of the IPv4 header with RoCE v2 over IPv4, which ends where the message starts. The bytes before it
     * are unused.
     */
    private static final int IPV4 = GrhLayout.BYTES - Ipv4HeaderLayout.BYTES;

    private static final int VERSION_SHIFT = 4;
    private static final int VERSION_4 = 4;
    private static final int VERSION_6 = 6;
    private static final int VERSION_4_WITHOUT_OPTIONS = 0x45;
    private static final int U16_MASK = 0xffff;
    private static final int FLOW_BITS = 20;
    private static final int FLOW_MASK = (1 << FLOW_BITS) - 1;
    private static final int U8_MASK = 0xff;

    /** Throws {@link NullPointerException} if a component is null. */
    public Grh {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(destination, "destination");
    }

    /**
     * Decodes the {@link #BYTES} bytes at {@code offset} of a buffer of any byte order.
     *
     * @throws IllegalArgumentException if the bytes contain neither an IPv6 nor an IPv4 header
     * @throws IndexOutOfBoundsException if the buffer has fewer bytes
     */
    public static Grh decode(ByteBuffer in, int offset) {
        Objects.checkFromIndexSize(offset, BYTES, in.limit());
        // The bytes before an IPv4 header may look like the first byte of an IPv6 header, and an IPv6 address may look
        // like the first byte of an IPv4 header. A correct IPv4 checksum decides.
        if (version(in, offset) == VERSION_6 && !isWholeIpv4(in, offset + IPV4)) {
            return decodeIpv6(in, offset);
        }
        if (version(in, offset + IPV4) == VERSION_4) {
            return decodeIpv4(in, offset + IPV4);
        }
        throw new IllegalArgumentException("neither an IPv6 nor an IPv4 header at offset " + offset);
    }

    private static int version(ByteBuffer in, int offset) {
        return StructFields.getU8(in, offset) >> VERSION_SHIFT;
    }

    /** Returns true for an IPv4 header without options, as RoCE v2 sends it, whose checksum is correct. */
    private static boolean isWholeIpv4(ByteBuffer in, int base) {
        if (StructFields.getU8(in, base) != VERSION_4_WITHOUT_OPTIONS) {
            return false;
        }
        int sum = 0;
        for (int word = base; word < base + Ipv4HeaderLayout.BYTES; word += Short.BYTES) {
            sum += (StructFields.getU8(in, word) << Byte.SIZE) | StructFields.getU8(in, word + 1);
        }
        return (sum & U16_MASK) + (sum >>> Short.SIZE) == U16_MASK;
    }

    private static Grh decodeIpv6(ByteBuffer in, int base) {
        int first = StructFields.getBe32(in, base + GrhLayout.VERSION_TCLASS_FLOW);
        return new Grh(
                GidBytes.decode(in, base + GrhLayout.SGID),
                GidBytes.decode(in, base + GrhLayout.DGID),
                (first >> FLOW_BITS) & U8_MASK,
                first & FLOW_MASK,
                StructFields.getU8(in, base + GrhLayout.HOP_LIMIT));
    }

    private static Grh decodeIpv4(ByteBuffer in, int base) {
        return new Grh(
                Gid.ofIpv4(StructFields.getBe32(in, base + Ipv4HeaderLayout.SADDR)),
                Gid.ofIpv4(StructFields.getBe32(in, base + Ipv4HeaderLayout.DADDR)),
                StructFields.getU8(in, base + Ipv4HeaderLayout.TOS),
                0,
                StructFields.getU8(in, base + Ipv4HeaderLayout.TTL));
    }

    @Override
    public String toString() {
        return "Grh[source=" + source.toText() + ", destination=" + destination.toText() + ", trafficClass="
                + trafficClass + ", flowLabel=" + flowLabel + ", hopLimit=" + hopLimit + "]";
    }
}
