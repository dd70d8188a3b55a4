// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.mlx4.Wqe.DatagramSeg;
import io.github.rdma4j.providers.card.Network.Grh;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The address vector of a datagram of ConnectX-3, {@code struct mlx4_wqe_datagram_seg}. */
final class Mlx4AddressVector {
    private static final int PORT_AND_PD = 0x1fff_ffff;
    private static final int PORT = 1 << 24;
    private static final int HAS_GRH = 0x80;
    private static final int QPN_MASK = 0xff_ffff;
    private static final int GID_BYTES = 16;
    private static final int MAC_BYTES = 6;
    private static final int FLOW_LABEL = 0xf_ffff;
    private static final int CLASS_SHIFT = 20;
    private static final int PRIORITY_SHIFT = 29;
    private static final int U8 = 0xff;

    private Mlx4AddressVector() {}

    /** Reads a vector of an Ethernet port without VLANs; anything else is complained about, and the datagram goes nowhere. */
    static Destination read(ByteBuffer segment, QpSpec spec, Complaints complaints) {
        byte[] gid = new byte[GID_BYTES];
        segment.get(DatagramSeg.DGID, gid);
        byte[] mac = new byte[MAC_BYTES];
        segment.get(DatagramSeg.MAC, mac);
        int port = segment.getInt(DatagramSeg.PORT_PD);
        boolean valid = (port & PORT_AND_PD) == (PORT | spec.pd())
                && port >>> PRIORITY_SHIFT == 0
                && (segment.get(DatagramSeg.G_SLID) & U8) == HAS_GRH
                && segment.getShort(DatagramSeg.VLAN) == 0;
        if (!valid) {
            complaints.add(String.format("QP 0x%x: the address vector begins with 0x%x", spec.qpn(), port));
        }
        int flow = segment.getInt(DatagramSeg.SL_TCLASS_FLOWLABEL);
        Destination.Route route = new Destination.Route(
                ByteBuffer.wrap(gid),
                segment.get(DatagramSeg.GID_INDEX) & U8,
                (byte) (flow >>> CLASS_SHIFT),
                segment.get(DatagramSeg.HOP_LIMIT),
                flow & FLOW_LABEL,
                flow >>> PRIORITY_SHIFT);
        int qpn = valid ? segment.getInt(DatagramSeg.DQPN) & QPN_MASK : Destination.NOWHERE;
        return new Destination(qpn, segment.getInt(DatagramSeg.QKEY), route, ByteBuffer.wrap(known(gid, mac)));
    }

    /** The address that this network has for a group, if {@code mac} is that of Ethernet. */
    private static byte[] known(byte[] gid, byte[] mac) {
        boolean ipv4 = Grh.isIpv4(gid);
        byte[] ofGroup = ipv4
                ? new byte[] {1, 0, 0x5e, (byte) (gid[13] & 0x7f), gid[14], gid[15]}
                : new byte[] {0x33, 0x33, gid[12], gid[13], gid[14], gid[15]};
        return Grh.isMulticast(gid) && Arrays.equals(ofGroup, mac) ? Grh.mac(gid) : mac;
    }
}
