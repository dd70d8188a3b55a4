// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import java.nio.ByteBuffer;

/** The address vector of a datagram, {@code struct mlx5_wqe_av}. */
final class Mlx5AddressVector {
    private static final int QKEY = 0;
    private static final int DESTINATION = 8;
    private static final int EXTENDED = 0x8000_0000;
    private static final int QPN_MASK = 0xff_ffff;
    private static final int UDP_PORT = 14;
    private static final int LOWEST_UDP_PORT = 0xc000;
    private static final int MAC = 20;
    private static final int MAC_BYTES = 6;
    private static final int HOP_LIMIT = 27;
    private static final int GRH = 28;
    private static final int GRH_PRESENT = 1 << 30;
    private static final int SGID_SHIFT = 20;
    private static final int U8 = 0xff;
    private static final int SERVICE_LEVEL = 12;
    private static final int SERVICE_LEVEL_MASK = 7;
    private static final int GID_BYTES = 16;
    private static final int DGID = 32;

    private Mlx5AddressVector() {}

    /** Reads a vector of RoCE v2; anything else is complained about, and the datagram goes nowhere. */
    static Destination read(ByteBuffer vector, int qpn, Complaints complaints) {
        byte[] gid = new byte[GID_BYTES];
        vector.get(DGID, gid);
        byte[] mac = new byte[MAC_BYTES];
        vector.get(MAC, mac);
        int udpPort = Short.toUnsignedInt(vector.getShort(UDP_PORT));
        int grh = vector.getInt(GRH);
        boolean extended = (vector.getInt(DESTINATION) & EXTENDED) != 0;
        boolean valid = extended && udpPort >= LOWEST_UDP_PORT && (grh & GRH_PRESENT) == 0;
        if (!valid) {
            complaints.add(String.format("QP 0x%x: no address vector of RoCE v2: UDP port 0x%x", qpn, udpPort));
        }
        Destination.Route route = new Destination.Route(
                ByteBuffer.wrap(gid),
                grh >>> SGID_SHIFT & U8,
                vector.get(HOP_LIMIT - 1),
                vector.get(HOP_LIMIT),
                grh & (1 << SGID_SHIFT) - 1,
                vector.get(SERVICE_LEVEL) >> 1 & SERVICE_LEVEL_MASK);
        int to = valid ? vector.getInt(DESTINATION) & QPN_MASK : Destination.NOWHERE;
        return new Destination(to, vector.getInt(QKEY), route, ByteBuffer.wrap(mac));
    }
}
