// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.internal.uverbs.PacketHeaders.GrhLayout;
import io.github.rdma4j.internal.uverbs.PacketHeaders.Ipv4HeaderLayout;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Where a datagram came from: the global route header ({@code struct ibv_grh}) that the device puts in front of every
 * received datagram. A receive of a datagram queue pair therefore needs {@link #BYTES} more than the message has, and
 * the message starts behind them. They hold something when {@code WorkCompletion.hasGrh} says so.
 *
 * @param source GID of the sender
 * @param destination GID that it sent to: one of this port, or of a multicast group
 * @param trafficClass traffic class; of IPv4 the type of service
 * @param flowLabel flow label, 20 bits; 0 with IPv4
 * @param hopLimit hops that were left
 */
public record Grh(Gid source, Gid destination, int trafficClass, int flowLabel, int hopLimit) {
    /** What a datagram's receive buffer has in front of the message. */
    public static final int BYTES = GrhLayout.BYTES;

    /** With RoCE v2 over IPv4 the IPv4 header is at the end of the space, and what is before it is not used. */
    private static final int IPV4 = GrhLayout.BYTES - Ipv4HeaderLayout.BYTES;

    private static final int VERSION_SHIFT = 4;
    private static final int VERSION_4 = 4;
    private static final int VERSION_6 = 6;
    private static final int VERSION_4_WITHOUT_OPTIONS = 0x45;
    private static final int U16_MASK = 0xffff;
    private static final int FLOW_BITS = 20;
    private static final int FLOW_MASK = (1 << FLOW_BITS) - 1;
    private static final int U8_MASK = 0xff;

    /** No component is null. */
    public Grh {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(destination, "destination");
    }

    /**
     * Reads the {@link #BYTES} bytes at {@code offset} of a buffer of any byte order.
     *
     * @throws IllegalArgumentException when there is no such header
     * @throws IndexOutOfBoundsException when there are fewer bytes
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
        throw new IllegalArgumentException("there is neither an IPv6 nor an IPv4 header at " + offset);
    }

    private static int version(ByteBuffer in, int offset) {
        return StructFields.getU8(in, offset) >> VERSION_SHIFT;
    }

    /** True for an IPv4 header without options, as RoCE v2 has it, whose words add up to the sum that they must have. */
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

    /**
     * The address to reply to, for {@code ProtectionDomain.createAh} ({@code ibv_init_ah_from_wc(3)}).
     *
     * @param sgidIndex index of the GID to reply from
     * @param portNum the port on which the datagram came
     */
    public AhAttr replyTo(int sgidIndex, int portNum) {
        return AhAttr.to(source, sgidIndex, portNum);
    }
}
