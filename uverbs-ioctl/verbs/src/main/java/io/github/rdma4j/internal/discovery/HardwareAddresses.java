// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.discovery;

import io.github.rdma4j.internal.netlink.Neighbours;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.GidEntry;
import java.nio.ByteBuffer;

/**
 * Finds the destination MAC addresses of RoCE packets, as the kernel does for drivers that let the kernel resolve
 * addresses.
 */
public final class HardwareAddresses {
    private static final int MAC_BYTES = 6;
    private static final long LINK_LOCAL = 0xfe80_0000_0000_0000L;
    private static final int GROUP = 0xff;
    private static final int PREFIX_TOP_SHIFT = 56;
    private static final int IPV4_GROUP = 0xe;
    private static final int IPV4_GROUP_SHIFT = 28;
    private static final long IPV4_GROUP_MAC = 0x0100_5e00_0000L;
    private static final int IPV4_GROUP_BITS = 0x7f_ffff;
    private static final long IPV6_GROUP_MAC = 0x3333_0000_0000L;
    private static final long U32 = 0xffff_ffffL;
    private static final long U24 = 0xff_ffffL;
    private static final int MAC_SHIFT = Long.SIZE - MAC_BYTES * Byte.SIZE;
    private static final int TOP_SHIFT = 40;
    private static final int HALF_SHIFT = 24;

    /** A link-local address has the universal/local bit of the MAC address inverted. */
    private static final long UNIVERSAL = 0x0200_0000_0000L;

    private HardwareAddresses() {}

    /** The address for packets to {@code to} that are sent from {@code source}. */
    public static byte[] of(Kernel kernel, Gid to, GidEntry source) throws RdmaException {
        long id = to.interfaceId();
        if (to.isV4Mapped() && (int) id >>> IPV4_GROUP_SHIFT == IPV4_GROUP) {
            return bytes(IPV4_GROUP_MAC | (id & IPV4_GROUP_BITS));
        }
        if (to.prefix() >>> PREFIX_TOP_SHIFT == GROUP) {
            return bytes(IPV6_GROUP_MAC | (id & U32));
        }
        // RoCE v1 has no IP neighbours: the first GID of a port contains the MAC address.
        if (to.prefix() == LINK_LOCAL && source.gidType() == GidEntry.Type.ROCE_V1) {
            return bytes(((id >>> TOP_SHIFT << HALF_SHIFT) | (id & U24)) ^ UNIVERSAL);
        }
        return Neighbours.hardwareAddress(kernel, to.toAddress(), source.netdevIfindex());
    }

    private static byte[] bytes(long mac) {
        byte[] bytes = new byte[MAC_BYTES];
        ByteBuffer.allocate(Long.BYTES).putLong(0, mac << MAC_SHIFT).get(0, bytes);
        return bytes;
    }
}
