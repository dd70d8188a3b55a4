// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.mlx5.Wqe.WqeAv;
import io.github.rdma4j.internal.mlx5.Wqe.WqeCodes;
import java.nio.ByteBuffer;

/** The address vector of a datagram, {@code struct mlx5_wqe_av}. */
final class Mlx5AddressVector {
    private static final int QPN_MASK = 0xff_ffff;
    private static final int LOWEST_UDP_PORT = 0xc000;
    private static final int MAC_BYTES = 6;
    private static final int GRH_PRESENT = 1 << 30;
    private static final int SGID_SHIFT = 20;
    private static final int U8 = 0xff;
    private static final int SERVICE_LEVEL_MASK = 7;
    private static final int GID_BYTES = 16;

    private Mlx5AddressVector() {}

    /** Reads a vector of RoCE v2; anything else is complained about, and the datagram goes nowhere. */
    static Destination read(ByteBuffer vector, int qpn, Complaints complaints) {
        byte[] gid = new byte[GID_BYTES];
        vector.get(WqeAv.RGID, gid);
        byte[] mac = new byte[MAC_BYTES];
        vector.get(WqeAv.RMAC, mac);
        int udpPort = Short.toUnsignedInt(vector.getShort(WqeAv.RLID));
        int grh = vector.getInt(WqeAv.GRH_GID_FL);
        boolean extended = (vector.getInt(WqeAv.DQP_DCT) & WqeCodes.MLX5_EXTENDED_UD_AV) != 0;
        boolean valid = extended && udpPort >= LOWEST_UDP_PORT && (grh & GRH_PRESENT) == 0;
        if (!valid) {
            complaints.add(String.format("QP 0x%x: no address vector of RoCE v2: UDP port 0x%x", qpn, udpPort));
        }
        Destination.Route route = new Destination.Route(
                ByteBuffer.wrap(gid),
                grh >>> SGID_SHIFT & U8,
                vector.get(WqeAv.TCLASS),
                vector.get(WqeAv.HOP_LIMIT),
                grh & (1 << SGID_SHIFT) - 1,
                vector.get(WqeAv.STAT_RATE_SL) >> 1 & SERVICE_LEVEL_MASK);
        int to = valid ? vector.getInt(WqeAv.DQP_DCT) & QPN_MASK : Destination.NOWHERE;
        return new Destination(to, vector.getInt(WqeAv.QKEY), route, ByteBuffer.wrap(mac));
    }
}
