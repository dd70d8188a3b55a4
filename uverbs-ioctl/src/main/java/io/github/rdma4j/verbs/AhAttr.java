// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.QpDest;
import java.nio.ByteBuffer;

/**
 * The address of a destination ({@code struct ibv_ah_attr}).
 *
 * <p>The kernel has two layouts of the address: the layout below, and {@link QpDest} in the commands that change and query a
 * queue pair.
 *
 * <pre>{@code
 * struct ib_uverbs_ah_attr {   // uapi/rdma/ib_user_verbs.h
 *     __u8 grh.dgid;           //  0  16 raw bytes
 *     __u32 grh.flow_label;    // 16
 *     __u8 grh.sgid_index;     // 20
 *     __u8 grh.hop_limit;      // 21
 *     __u8 grh.traffic_class;  // 22
 *     __u8 grh.reserved;       // 23
 *     __u16 dlid;              // 24
 *     __u8 sl;                 // 26
 *     __u8 src_path_bits;      // 27
 *     __u8 static_rate;        // 28
 *     __u8 is_global;          // 29
 *     __u8 port_num;           // 30
 *     __u8 reserved;           // 31
 * };                           // 32
 * }</pre>
 *
 * @param dgid GID of the destination
 * @param flowLabel flow label, 20 bits
 * @param sgidIndex index of the source GID in the table of the port
 * @param hopLimit hop limit
 * @param trafficClass traffic class
 * @param dlid local identifier of the destination, 0 on Ethernet
 * @param sl service level
 * @param srcPathBits low bits of the source local identifier
 * @param staticRate code of the rate limit, 0 for none
 * @param isGlobal the packet has a global route header; always so on Ethernet
 * @param portNum the port, from 1
 */
@KernelStruct(value = "struct ib_uverbs_ah_attr", header = "rdma/ib_user_verbs.h")
public record AhAttr(
        Gid dgid,
        int flowLabel,
        int sgidIndex,
        int hopLimit,
        int trafficClass,
        int dlid,
        int sl,
        int srcPathBits,
        int staticRate,
        boolean isGlobal,
        int portNum) {
    /** No address: all zero. */
    public static final AhAttr NONE = new AhAttr(new Gid(0, 0), 0, 0, 0, 0, 0, 0, 0, 0, false, 0);

    private static final int HOP_LIMIT = 64;

    /**
     * The address of a port or group by its GID, as RoCE needs it.
     *
     * @param sgidIndex index of the GID to send from
     */
    public static AhAttr to(Gid dgid, int sgidIndex, int portNum) {
        return new AhAttr(dgid, 0, sgidIndex, HOP_LIMIT, 0, 0, 0, 0, 0, true, portNum);
    }

    public static final class Layout {
        @CName("grh.dgid")
        public static final int DGID = 0;

        @CName("grh.flow_label")
        public static final int FLOW_LABEL = 16;

        @CName("grh.sgid_index")
        public static final int SGID_INDEX = 20;

        @CName("grh.hop_limit")
        public static final int HOP_LIMIT = 21;

        @CName("grh.traffic_class")
        public static final int TRAFFIC_CLASS = 22;

        @CName("grh.reserved")
        public static final int GRH_RESERVED = 23;

        public static final int DLID = 24;
        public static final int SL = 26;
        public static final int SRC_PATH_BITS = 27;
        public static final int STATIC_RATE = 28;
        public static final int IS_GLOBAL = 29;
        public static final int PORT_NUM = 30;
        public static final int RESERVED = 31;
        public static final int BYTES = 32;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        dgid.encode(out, base + Layout.DGID);
        out.putInt(base + Layout.FLOW_LABEL, flowLabel);
        StructFields.putU8(out, base + Layout.SGID_INDEX, sgidIndex);
        StructFields.putU8(out, base + Layout.HOP_LIMIT, hopLimit);
        StructFields.putU8(out, base + Layout.TRAFFIC_CLASS, trafficClass);
        out.put(base + Layout.GRH_RESERVED, (byte) 0);
        StructFields.putU16(out, base + Layout.DLID, dlid);
        StructFields.putU8(out, base + Layout.SL, sl);
        StructFields.putU8(out, base + Layout.SRC_PATH_BITS, srcPathBits);
        StructFields.putU8(out, base + Layout.STATIC_RATE, staticRate);
        out.put(base + Layout.IS_GLOBAL, (byte) (isGlobal ? 1 : 0));
        StructFields.putU8(out, base + Layout.PORT_NUM, portNum);
        out.put(base + Layout.RESERVED, (byte) 0);
    }

    /** Reads the struct at {@code base} of a buffer in native order. */
    public static AhAttr decode(ByteBuffer in, int base) {
        return new AhAttr(
                Gid.decode(in, base + Layout.DGID),
                in.getInt(base + Layout.FLOW_LABEL),
                StructFields.getU8(in, base + Layout.SGID_INDEX),
                StructFields.getU8(in, base + Layout.HOP_LIMIT),
                StructFields.getU8(in, base + Layout.TRAFFIC_CLASS),
                StructFields.getU16(in, base + Layout.DLID),
                StructFields.getU8(in, base + Layout.SL),
                StructFields.getU8(in, base + Layout.SRC_PATH_BITS),
                StructFields.getU8(in, base + Layout.STATIC_RATE),
                in.get(base + Layout.IS_GLOBAL) != 0,
                StructFields.getU8(in, base + Layout.PORT_NUM));
    }

    /** Writes the same values in the order of struct ib_uverbs_qp_dest, {@link QpDest#BYTES} bytes. */
    public void encodeQpDest(ByteBuffer out, int base) {
        dgid.encode(out, base + QpDest.DGID);
        out.putInt(base + QpDest.FLOW_LABEL, flowLabel);
        StructFields.putU16(out, base + QpDest.DLID, dlid);
        out.putShort(base + QpDest.RESERVED, (short) 0);
        StructFields.putU8(out, base + QpDest.SGID_INDEX, sgidIndex);
        StructFields.putU8(out, base + QpDest.HOP_LIMIT, hopLimit);
        StructFields.putU8(out, base + QpDest.TRAFFIC_CLASS, trafficClass);
        StructFields.putU8(out, base + QpDest.SL, sl);
        StructFields.putU8(out, base + QpDest.SRC_PATH_BITS, srcPathBits);
        StructFields.putU8(out, base + QpDest.STATIC_RATE, staticRate);
        out.put(base + QpDest.IS_GLOBAL, (byte) (isGlobal ? 1 : 0));
        StructFields.putU8(out, base + QpDest.PORT_NUM, portNum);
    }

    /** Reads a struct ib_uverbs_qp_dest at {@code base} of a buffer in native order. */
    public static AhAttr decodeQpDest(ByteBuffer in, int base) {
        return new AhAttr(
                Gid.decode(in, base + QpDest.DGID),
                in.getInt(base + QpDest.FLOW_LABEL),
                StructFields.getU8(in, base + QpDest.SGID_INDEX),
                StructFields.getU8(in, base + QpDest.HOP_LIMIT),
                StructFields.getU8(in, base + QpDest.TRAFFIC_CLASS),
                StructFields.getU16(in, base + QpDest.DLID),
                StructFields.getU8(in, base + QpDest.SL),
                StructFields.getU8(in, base + QpDest.SRC_PATH_BITS),
                StructFields.getU8(in, base + QpDest.STATIC_RATE),
                in.get(base + QpDest.IS_GLOBAL) != 0,
                StructFields.getU8(in, base + QpDest.PORT_NUM));
    }
}
