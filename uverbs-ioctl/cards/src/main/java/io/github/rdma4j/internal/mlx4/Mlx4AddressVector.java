// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.mlx4.Wqe.DatagramSeg;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The destination of a datagram in the device's format ({@link DatagramSeg}), without the queue pair number and the
 * Q_Key, which belong to the work request.
 */
final class Mlx4AddressVector implements AddressVector {
    private static final int PORT_SHIFT = 24;
    private static final int HAS_VLAN = 1 << 29;
    private static final int HAS_GRH = 0x80;
    private static final int PATH_BITS = 0x7f;
    private static final int FLOW_LABEL = 0xfffff;
    private static final int CLASS_SHIFT = 20;
    private static final int U8 = 0xff;
    private static final int SERVICE_LEVEL_SHIFT = 28;
    private static final int PRIORITY_SHIFT = 29;
    private static final int TAG_PRIORITY_SHIFT = 13;
    private static final int PRIORITY = 7;

    /** The offset of the device's number of a static rate from {@code enum ibv_rate}; 0 is the full speed. */
    private static final int RATE_OFFSET = 5;

    private final long portAndPath;
    private final long gidIndexAndFlow;
    private final long gidPrefix;
    private final long gidInterface;
    private final long vlanAndMac;

    private Mlx4AddressVector(ByteBuffer av) {
        this.portAndPath = av.getLong(DatagramSeg.PORT_PD);
        this.gidIndexAndFlow = av.getLong(DatagramSeg.RESERVED2);
        this.gidPrefix = av.getLong(DatagramSeg.DGID);
        this.gidInterface = av.getLong(DatagramSeg.DGID + Long.BYTES);
        this.vlanAndMac = av.getLong(DatagramSeg.VLAN);
    }

    /**
     * An address on an InfiniBand port.
     *
     * @param pdn the device's number of the protection domain
     */
    static Mlx4AddressVector infiniband(int pdn, AhAttr to) {
        ByteBuffer av = ByteBuffer.allocate(DatagramSeg.BYTES);
        av.put(DatagramSeg.G_SLID, (byte) (to.srcPathBits() & PATH_BITS));
        av.putShort(DatagramSeg.DLID, (short) to.dlid());
        return of(av, pdn | to.portNum() << PORT_SHIFT, to, to.sl() << SERVICE_LEVEL_SHIFT);
    }

    /**
     * An address on an Ethernet port.
     *
     * @param pdn the device's number of the protection domain
     * @param vlan the VLAN of the packets; -1 for none
     * @param mac the destination's MAC address, 6 bytes
     */
    static Mlx4AddressVector ethernet(int pdn, AhAttr to, int vlan, byte... mac) {
        ByteBuffer av = ByteBuffer.allocate(DatagramSeg.BYTES);
        int port = pdn | to.portNum() << PORT_SHIFT;
        if (vlan >= 0) {
            port |= HAS_VLAN;
            av.putShort(DatagramSeg.VLAN, (short) (vlan | (to.sl() & PRIORITY) << TAG_PRIORITY_SHIFT));
        }
        av.put(DatagramSeg.MAC, mac);
        return of(av, port, to, to.sl() << PRIORITY_SHIFT);
    }

    private static Mlx4AddressVector of(ByteBuffer av, int port, AhAttr to, int service) {
        av.putInt(DatagramSeg.PORT_PD, port);
        av.put(DatagramSeg.STAT_RATE, (byte) (to.staticRate() == 0 ? 0 : to.staticRate() + RATE_OFFSET));
        int flow = service;
        if (to.isGlobal()) {
            av.put(DatagramSeg.G_SLID, (byte) (av.get(DatagramSeg.G_SLID) | HAS_GRH));
            av.put(DatagramSeg.GID_INDEX, (byte) to.sgidIndex());
            av.put(DatagramSeg.HOP_LIMIT, (byte) to.hopLimit());
            flow |= (to.trafficClass() & U8) << CLASS_SHIFT | (to.flowLabel() & FLOW_LABEL);
            GidBytes.encode(to.dgid(), av, DatagramSeg.DGID);
        }
        av.putInt(DatagramSeg.SL_TCLASS_FLOWLABEL, flow);
        return new Mlx4AddressVector(av);
    }

    /** Writes the {@link DatagramSeg#BYTES} bytes at {@code at} of a big-endian buffer. */
    void put(ByteBuffer ring, int at, int qpn, int qkey) {
        assert ring.order() == ByteOrder.BIG_ENDIAN;
        ring.putLong(at + DatagramSeg.PORT_PD, portAndPath);
        ring.putLong(at + DatagramSeg.RESERVED2, gidIndexAndFlow);
        ring.putLong(at + DatagramSeg.DGID, gidPrefix);
        ring.putLong(at + DatagramSeg.DGID + Long.BYTES, gidInterface);
        ring.putInt(at + DatagramSeg.DQPN, qpn);
        ring.putInt(at + DatagramSeg.QKEY, qkey);
        ring.putLong(at + DatagramSeg.VLAN, vlanAndMac);
    }
}
