// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.mlx5.Wqe.WqeAv;
import io.github.rdma4j.internal.mlx5.Wqe.WqeCodes;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The destination of a datagram in the device's format ({@link WqeAv}), without the Q_Key and the queue pair number,
 * which belong to the work request.
 */
final class Mlx5AddressVector implements AddressVector {
    /** The first UDP source port of RoCE v2; the last is 0xffff. */
    private static final int FIRST_PORT = 0xc000;

    private static final int PORT_BITS = 14;
    private static final int PORT_MASK = (1 << PORT_BITS) - 1;
    private static final int FLOW_LABEL = 0xfffff;
    private static final int HAS_GRH = 1 << 30;
    private static final int GID_INDEX_SHIFT = 20;
    private static final int U8 = 0xff;
    private static final int RATE_SHIFT = 4;
    private static final int PATH_BITS = 0x7f;
    private static final int SERVICE_LEVEL = 0xf;
    private static final int PRIORITY = 7;
    private static final int MAC_BYTES = 6;

    /** The device's numbers of static rates, by {@code enum ibv_rate}; 0 is the full speed of the port. */
    private static final byte[] RATES = {0, 0, 7, 8, 9, 10, 11, 12, 13, 14, 15, 11, 13, 15, 0, 9, 15, 0, 0, 9, 13};

    private final int ratePathAndLid;
    private final long mac;
    private final long classAndGrh;
    private final long gidPrefix;
    private final long gidInterface;

    private Mlx5AddressVector(ByteBuffer av) {
        this.ratePathAndLid = av.getInt(WqeAv.STAT_RATE_SL);
        this.mac = av.getLong(WqeAv.RESERVED0);
        this.classAndGrh = av.getLong(WqeAv.RESERVED0 + Long.BYTES);
        this.gidPrefix = av.getLong(WqeAv.RGID);
        this.gidInterface = av.getLong(WqeAv.RGID + Long.BYTES);
    }

    /** An address on an InfiniBand port. */
    static Mlx5AddressVector infiniband(AhAttr to) {
        ByteBuffer av = ByteBuffer.allocate(WqeAv.BYTES);
        av.put(WqeAv.STAT_RATE_SL, (byte) (rate(to) << RATE_SHIFT | (to.sl() & SERVICE_LEVEL)));
        av.put(WqeAv.FL_MLID, (byte) (to.srcPathBits() & PATH_BITS));
        av.putShort(WqeAv.RLID, (short) to.dlid());
        if (to.isGlobal()) {
            putGrh(av, to, HAS_GRH);
        }
        return new Mlx5AddressVector(av);
    }

    /**
     * An address on an Ethernet port, where the device assumes a GRH.
     *
     * @param macOf the buffer with the destination's MAC address at {@code macAt}
     * @param udp true for RoCE v2
     */
    static Mlx5AddressVector ethernet(AhAttr to, ByteBuffer macOf, int macAt, boolean udp) {
        ByteBuffer av = ByteBuffer.allocate(WqeAv.BYTES);
        av.put(WqeAv.STAT_RATE_SL, (byte) (rate(to) << RATE_SHIFT | (to.sl() & PRIORITY) << 1));
        av.putShort(WqeAv.RLID, (short) (udp ? sourcePort(to.flowLabel() & FLOW_LABEL) : 0));
        av.put(WqeAv.RMAC, macOf, macAt, MAC_BYTES);
        putGrh(av, to, 0);
        return new Mlx5AddressVector(av);
    }

    private static void putGrh(ByteBuffer av, AhAttr to, int hasGrh) {
        av.put(WqeAv.TCLASS, (byte) to.trafficClass());
        av.put(WqeAv.HOP_LIMIT, (byte) to.hopLimit());
        int index = (to.sgidIndex() & U8) << GID_INDEX_SHIFT;
        StructFields.putBe32(av, WqeAv.GRH_GID_FL, hasGrh | index | (to.flowLabel() & FLOW_LABEL));
        GidBytes.encode(to.dgid(), av, WqeAv.RGID);
    }

    /**
     * The source port of a flow: flows get different ports, so that a fabric can balance them over its paths; any port
     * without a flow.
     */
    private static int sourcePort(int flowLabel) {
        int port = flowLabel == 0
                ? ThreadLocalRandom.current().nextInt(PORT_MASK + 1)
                : (flowLabel & PORT_MASK) ^ flowLabel >> PORT_BITS;
        return FIRST_PORT | port;
    }

    private static int rate(AhAttr to) {
        return to.staticRate() < RATES.length ? RATES[to.staticRate()] : 0;
    }

    /** Writes the {@link WqeAv#BYTES} bytes at {@code at} of a big-endian buffer. */
    void put(ByteBuffer ring, int at, int qkey, int qpn) {
        assert ring.order() == ByteOrder.BIG_ENDIAN;
        ring.putInt(at + WqeAv.QKEY, qkey);
        ring.putInt(at + WqeAv.QKEY_RESERVED, 0);
        ring.putInt(at + WqeAv.DQP_DCT, WqeCodes.MLX5_EXTENDED_UD_AV | qpn);
        ring.putInt(at + WqeAv.STAT_RATE_SL, ratePathAndLid);
        ring.putLong(at + WqeAv.RESERVED0, mac);
        ring.putLong(at + WqeAv.RESERVED0 + Long.BYTES, classAndGrh);
        ring.putLong(at + WqeAv.RGID, gidPrefix);
        ring.putLong(at + WqeAv.RGID + Long.BYTES, gidInterface);
    }
}
