// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.verbs.attr.Gid;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The GID of a multicast group (MGID), and the mappings from IP groups. Each user of InfiniBand has its own mapping, so
 * that groups of different users stay distinct.
 *
 * <pre>{@code
 *                      0     1      2  3    4 5      6 .. 15
 * IP over InfiniBand   0xff  1 scp  401b    P_Key    0, and 28 bits of the IPv4 group
 *                      0xff  1 scp  601b    P_Key    80 bits of the IPv6 group
 * RDMA CM              0xff  1 scp  4001    P_Key    as above
 *                      0xff  1 scp  6001    P_Key    as above
 * subnet administration 0xff 1 scp  a01b    chosen by subnet administration
 * RoCE v1              0xff  0e     0 ...                ffff and the IPv4 group; an IPv6 group unchanged
 * RoCE v2              0     0      0 ...                ffff and the IPv4 group; an IPv6 group unchanged
 * }</pre>
 *
 * <p>The P_Key always has the bit of full membership. The kernel takes it, and the scope, from the broadcast address of
 * the IP interface ({@code ip_ib_mc_map}, {@code ipv6_ib_mc_map}, {@code cma_set_mgid}, {@code cma_iboe_set_mgid}).
 *
 * @param gid the 16 bytes
 */
public record MulticastGid(Gid gid) {
    /** Link-local, the default of IP over InfiniBand. */
    public static final int SCOPE_LINK = 0x2;

    public static final int SCOPE_SITE = 0x5;
    public static final int SCOPE_ORGANIZATION = 0x8;
    public static final int SCOPE_GLOBAL = 0xe;

    /** The default partition, which every port is in. */
    public static final int DEFAULT_PKEY = 0xffff;

    private static final int FULL_MEMBERSHIP = 0x8000;
    private static final int IPOIB_IPV4 = 0x401b;
    private static final int IPOIB_IPV6 = 0x601b;
    private static final int RDMA_CM_IPV4 = 0x4001;
    private static final int RDMA_CM_IPV6 = 0x6001;
    private static final int SA_ASSIGNED = 0xa01b;

    private static final int FIRST = 0xff;
    private static final int TRANSIENT = 0x10;
    private static final int FLAGS = 0xf0;
    private static final int FIRST_SHIFT = 56;
    private static final int FLAGS_SHIFT = 48;
    private static final int SIGNATURE_SHIFT = 32;
    private static final int PKEY_SHIFT = 16;
    private static final int U16 = 0xffff;
    private static final int NIBBLE = 0xf;
    private static final long IPV4_GROUP_BITS = 0x0fff_ffffL;
    private static final int CLASS_D = 0xe000_0000;
    private static final long BROADCAST = 0xffff_ffffL;
    private static final long IPV4_MAPPED = 0xffff_0000_0000L;
    private static final long ROCE_V1_PREFIX = 0xff0e_0000_0000_0000L;
    private static final int IPV6_TAIL = 6;

    /** The mapping of a group. */
    public enum Kind {
        IPOIB_IPV4,
        IPOIB_IPV6,
        RDMA_CM_IPV4,
        RDMA_CM_IPV6,

        /** Chosen by subnet administration for a join without an MGID. */
        SA_ASSIGNED,

        /** An IPv4 group on RoCE version 1. */
        ROCE_V1_IPV4,

        /** An IPv4 group on RoCE version 2. */
        ROCE_V2_IPV4,

        /** Another multicast GID, such as an IPv6 group on RoCE. */
        OTHER,

        /** Not a multicast GID. */
        NOT_MULTICAST
    }

    /**
     * The group of IP over InfiniBand for an IP group. It contains only the last ten of the 16 bytes of an IPv6 group,
     * so that the IPv6 group cannot be derived from it.
     *
     * @param pkey the partition key; the bit of full membership is added
     * @param scope the scope of the interface's broadcast group, 1 to 0xe; not the scope of an IPv6 group
     * @throws IllegalArgumentException when {@code group} is not a multicast address
     */
    public static MulticastGid ipoib(InetAddress group, int pkey, int scope) {
        return signed(group, IPOIB_IPV4, IPOIB_IPV6, pkey, scope);
    }

    /** The broadcast group of IP over InfiniBand, which all interfaces of a partition join. */
    public static MulticastGid ipoibBroadcast(int pkey, int scope) {
        return new MulticastGid(new Gid(prefix(IPOIB_IPV4, pkey, scope), BROADCAST));
    }

    /**
     * The group that the connection manager joins for an id of the port space UDP on InfiniBand. For the port space
     * IPOIB it joins the group of {@link #ipoib}. An IPv6 group that starts with ff1x:a01b stays unchanged, because
     * subnet administration assigned it.
     *
     * @param pkey the partition key; the bit of full membership is added
     * @param scope the scope of the interface's broadcast group, 1 to 0xe
     * @throws IllegalArgumentException when {@code group} is not a multicast address
     */
    public static MulticastGid rdmaCm(InetAddress group, int pkey, int scope) {
        if (group instanceof Inet6Address) {
            MulticastGid asIs = new MulticastGid(Gid.of(group));
            if (asIs.kind() == Kind.SA_ASSIGNED) {
                return asIs;
            }
        }
        return signed(group, RDMA_CM_IPV4, RDMA_CM_IPV6, pkey, scope);
    }

    /** The group that the connection manager joins on RoCE version 1. */
    public static MulticastGid roceV1(InetAddress group) {
        requireMulticast(group);
        Gid gid = Gid.of(group);
        return new MulticastGid(group instanceof Inet4Address ? new Gid(ROCE_V1_PREFIX, gid.interfaceId()) : gid);
    }

    /** The group that the connection manager joins on RoCE version 2. */
    public static MulticastGid roceV2(InetAddress group) {
        requireMulticast(group);
        return new MulticastGid(Gid.of(group));
    }

    private static MulticastGid signed(InetAddress group, int forIpv4, int forIpv6, int pkey, int scope) {
        requireMulticast(group);
        ByteBuffer bytes = ByteBuffer.wrap(group.getAddress());
        if (group instanceof Inet4Address) {
            return new MulticastGid(new Gid(prefix(forIpv4, pkey, scope), bytes.getInt(0) & IPV4_GROUP_BITS));
        }
        long prefix = prefix(forIpv6, pkey, scope) | Short.toUnsignedLong(bytes.getShort(IPV6_TAIL));
        return new MulticastGid(new Gid(prefix, bytes.getLong(IPV6_TAIL + Short.BYTES)));
    }

    private static long prefix(int signature, int pkey, int scope) {
        if (pkey < 0 || pkey > U16) {
            throw new IllegalArgumentException(
                    "pkey is 0x" + Integer.toHexString(pkey) + "; it must be from 0 to 0xffff");
        }
        if (scope <= 0 || scope >= NIBBLE) {
            throw new IllegalArgumentException(
                    "scope is 0x" + Integer.toHexString(scope) + "; it must be from 1 to 0xe");
        }
        return ((long) FIRST << FIRST_SHIFT)
                | ((long) (TRANSIENT | scope) << FLAGS_SHIFT)
                | ((long) signature << SIGNATURE_SHIFT)
                | ((long) (pkey | FULL_MEMBERSHIP) << PKEY_SHIFT);
    }

    private static void requireMulticast(InetAddress group) {
        if (!group.isMulticastAddress()) {
            throw new IllegalArgumentException(group.getHostAddress()
                    + " is not a multicast address: groups are 224.0.0.0 to 239.255.255.255 and ff00::/8");
        }
    }

    /** The mapping that the bytes indicate. */
    public Kind kind() {
        if (gid.prefix() == 0 && isMappedGroup()) {
            return Kind.ROCE_V2_IPV4;
        }
        if (firstByte() != FIRST) {
            return Kind.NOT_MULTICAST;
        }
        if (gid.prefix() == ROCE_V1_PREFIX && isMappedGroup()) {
            return Kind.ROCE_V1_IPV4;
        }
        boolean isTransient = (secondByte() & FLAGS) == TRANSIENT;
        return isTransient ? kindOfSignature() : Kind.OTHER;
    }

    private int firstByte() {
        return (int) (gid.prefix() >>> FIRST_SHIFT);
    }

    private int secondByte() {
        return (int) (gid.prefix() >>> FLAGS_SHIFT);
    }

    private boolean isMappedGroup() {
        return new Gid(0, gid.interfaceId()).isV4Mapped()
                && ((int) gid.interfaceId() & ~(int) IPV4_GROUP_BITS) == CLASS_D;
    }

    private Kind kindOfSignature() {
        return switch ((int) (gid.prefix() >>> SIGNATURE_SHIFT) & U16) {
            case IPOIB_IPV4 -> Kind.IPOIB_IPV4;
            case IPOIB_IPV6 -> Kind.IPOIB_IPV6;
            case RDMA_CM_IPV4 -> Kind.RDMA_CM_IPV4;
            case RDMA_CM_IPV6 -> Kind.RDMA_CM_IPV6;
            case SA_ASSIGNED -> Kind.SA_ASSIGNED;
            default -> Kind.OTHER;
        };
    }

    /** The partition key, with the bit of full membership; empty when the mapping has none. */
    public Optional<Integer> pkey() {
        return switch (kind()) {
            case IPOIB_IPV4, IPOIB_IPV6, RDMA_CM_IPV4, RDMA_CM_IPV6 ->
                Optional.of((int) (gid.prefix() >>> PKEY_SHIFT) & U16);
            default -> Optional.empty();
        };
    }

    /** The scope of the group, as in IPv6; 0 when the GID does not start with 0xff. */
    public int scope() {
        return firstByte() == FIRST ? secondByte() & NIBBLE : 0;
    }

    /**
     * The IPv4 group, or the broadcast address; empty for other groups. The mappings of IP over InfiniBand and of the
     * connection manager do not preserve an IPv6 group; on RoCE the MGID is the IPv6 group.
     */
    public Optional<InetAddress> ipv4Group() {
        return switch (kind()) {
            case IPOIB_IPV4, RDMA_CM_IPV4 -> mappedIpv4();
            case ROCE_V1_IPV4, ROCE_V2_IPV4 -> Optional.of(ipv4((int) gid.interfaceId()));
            default -> Optional.empty();
        };
    }

    private Optional<InetAddress> mappedIpv4() {
        boolean nothingElse = (gid.prefix() & U16) == 0;
        if (nothingElse && gid.interfaceId() == BROADCAST) {
            return Optional.of(ipv4(-1));
        }
        if (!nothingElse || (gid.interfaceId() & ~IPV4_GROUP_BITS) != 0) {
            return Optional.empty();
        }
        return Optional.of(ipv4(CLASS_D | (int) gid.interfaceId()));
    }

    private static InetAddress ipv4(int address) {
        return new Gid(0, IPV4_MAPPED | Integer.toUnsignedLong(address)).toAddress();
    }

    /** The GID, and the IPv4 group if there is one. */
    @Override
    public String toString() {
        return gid
                + ipv4Group().map(group -> " (" + group.getHostAddress() + ")").orElse("");
    }
}
