// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.card;

import java.nio.ByteBuffer;

/** Addresses of the network, and the header that the device puts in front of a received datagram. */
final class Grh {
    static final int BYTES = 40;
    static final int GID_BYTES = 16;

    private static final int IPV4_AT = 20;
    private static final int IPV4_BYTES = 20;
    private static final int IPV4_IN_GID = 12;
    private static final int UDP = 17;
    private static final int VERSION_6 = 6 << 28;
    private static final int BTH_BYTES = 12;

    private final byte[] source;
    private final byte[] destination;
    private final byte trafficClass;
    private final byte hopLimit;

    Grh(byte[] source, byte[] destination, byte trafficClass, byte hopLimit) {
        this.source = source;
        this.destination = destination;
        this.trafficClass = trafficClass;
        this.hopLimit = hopLimit;
    }

    /** The hardware address of this network that goes with a GID. */
    static byte[] mac(byte[] gid) {
        return new byte[] {2, gid[11], gid[12], gid[13], gid[14], gid[15]};
    }

    static boolean isIpv4(byte[] gid) {
        return ByteBuffer.wrap(gid).getLong() == 0 && gid[10] == -1 && gid[11] == -1;
    }

    static boolean isMulticast(byte[] gid) {
        return gid[0] == -1 || (isIpv4(gid) && (gid[IPV4_IN_GID] & 0xf0) == 0xe0);
    }

    /** The header of a datagram with {@code payload} bytes. */
    byte[] bytes(int payload, int flowLabel) {
        ByteBuffer header = ByteBuffer.allocate(BYTES);
        if (isIpv4(destination)) {
            header.position(IPV4_AT);
            header.put((byte) 0x45).put(trafficClass).putShort((short) (IPV4_BYTES + BTH_BYTES + payload));
            header.putInt(0).put(hopLimit).put((byte) UDP).putShort((short) 0);
            header.put(source, IPV4_IN_GID, Integer.BYTES).put(destination, IPV4_IN_GID, Integer.BYTES);
        } else {
            header.putInt(VERSION_6 | Byte.toUnsignedInt(trafficClass) << 20 | flowLabel);
            header.putShort((short) (BTH_BYTES + payload)).put((byte) UDP).put(hopLimit);
            header.put(source).put(destination);
        }
        return header.array();
    }
}
