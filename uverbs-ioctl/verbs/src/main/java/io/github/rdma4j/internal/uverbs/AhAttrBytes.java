// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.nio.ByteBuffer;

/**
 * An {@link AhAttr} as the kernel passes it, except in the commands that change and query a queue pair: see
 * {@link QpDest}.
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
 */
@KernelStruct(value = "struct ib_uverbs_ah_attr", header = "rdma/ib_user_verbs.h")
public final class AhAttrBytes {
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

    private AhAttrBytes() {}

    /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public static void encode(AhAttr address, ByteBuffer out, int base) {
        GidBytes.encode(address.dgid(), out, base + DGID);
        out.putInt(base + FLOW_LABEL, address.flowLabel());
        StructFields.putU8(out, base + SGID_INDEX, address.sgidIndex());
        StructFields.putU8(out, base + HOP_LIMIT, address.hopLimit());
        StructFields.putU8(out, base + TRAFFIC_CLASS, address.trafficClass());
        out.put(base + GRH_RESERVED, (byte) 0);
        StructFields.putU16(out, base + DLID, address.dlid());
        StructFields.putU8(out, base + SL, address.sl());
        StructFields.putU8(out, base + SRC_PATH_BITS, address.srcPathBits());
        StructFields.putU8(out, base + STATIC_RATE, address.staticRate());
        out.put(base + IS_GLOBAL, (byte) (address.isGlobal() ? 1 : 0));
        StructFields.putU8(out, base + PORT_NUM, address.portNum());
        out.put(base + RESERVED, (byte) 0);
    }

    /** Reads the struct at {@code base} of a buffer in native order. */
    public static AhAttr decode(ByteBuffer in, int base) {
        return new AhAttr(
                GidBytes.decode(in, base + DGID),
                in.getInt(base + FLOW_LABEL),
                StructFields.getU8(in, base + SGID_INDEX),
                StructFields.getU8(in, base + HOP_LIMIT),
                StructFields.getU8(in, base + TRAFFIC_CLASS),
                StructFields.getU16(in, base + DLID),
                StructFields.getU8(in, base + SL),
                StructFields.getU8(in, base + SRC_PATH_BITS),
                StructFields.getU8(in, base + STATIC_RATE),
                in.get(base + IS_GLOBAL) != 0,
                StructFields.getU8(in, base + PORT_NUM));
    }

    /**
     * An {@link AhAttr} as {@link ModifyQp.Command} and {@link QueryQp.Reply} hold it: the members of struct
     * ib_uverbs_ah_attr, see {@link AhAttrBytes}, in another order.
     *
     * <pre>{@code
     * struct ib_uverbs_qp_dest {  // uapi/rdma/ib_user_verbs.h
     *     __u8 dgid[16];          //  0  raw bytes
     *     __u32 flow_label;       // 16
     *     __u16 dlid;             // 20
     *     __u16 reserved;         // 22
     *     __u8 sgid_index;        // 24
     *     __u8 hop_limit;         // 25
     *     __u8 traffic_class;     // 26
     *     __u8 sl;                // 27
     *     __u8 src_path_bits;     // 28
     *     __u8 static_rate;       // 29
     *     __u8 is_global;         // 30
     *     __u8 port_num;          // 31
     * };                          // 32
     * }</pre>
     */
    @KernelStruct(value = "struct ib_uverbs_qp_dest", header = "rdma/ib_user_verbs.h")
    public static final class QpDest {
        public static final int DGID = 0;
        public static final int FLOW_LABEL = 16;
        public static final int DLID = 20;
        public static final int RESERVED = 22;
        public static final int SGID_INDEX = 24;
        public static final int HOP_LIMIT = 25;
        public static final int TRAFFIC_CLASS = 26;
        public static final int SL = 27;
        public static final int SRC_PATH_BITS = 28;
        public static final int STATIC_RATE = 29;
        public static final int IS_GLOBAL = 30;
        public static final int PORT_NUM = 31;
        public static final int BYTES = 32;

        private QpDest() {}

        /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
        public static void encode(AhAttr address, ByteBuffer out, int base) {
            GidBytes.encode(address.dgid(), out, base + DGID);
            out.putInt(base + FLOW_LABEL, address.flowLabel());
            StructFields.putU16(out, base + DLID, address.dlid());
            out.putShort(base + RESERVED, (short) 0);
            StructFields.putU8(out, base + SGID_INDEX, address.sgidIndex());
            StructFields.putU8(out, base + HOP_LIMIT, address.hopLimit());
            StructFields.putU8(out, base + TRAFFIC_CLASS, address.trafficClass());
            StructFields.putU8(out, base + SL, address.sl());
            StructFields.putU8(out, base + SRC_PATH_BITS, address.srcPathBits());
            StructFields.putU8(out, base + STATIC_RATE, address.staticRate());
            out.put(base + IS_GLOBAL, (byte) (address.isGlobal() ? 1 : 0));
            StructFields.putU8(out, base + PORT_NUM, address.portNum());
        }

        /** Reads the struct at {@code base} of a buffer in native order. */
        public static AhAttr decode(ByteBuffer in, int base) {
            return new AhAttr(
                    GidBytes.decode(in, base + DGID),
                    in.getInt(base + FLOW_LABEL),
                    StructFields.getU8(in, base + SGID_INDEX),
                    StructFields.getU8(in, base + HOP_LIMIT),
                    StructFields.getU8(in, base + TRAFFIC_CLASS),
                    StructFields.getU16(in, base + DLID),
                    StructFields.getU8(in, base + SL),
                    StructFields.getU8(in, base + SRC_PATH_BITS),
                    StructFields.getU8(in, base + STATIC_RATE),
                    in.get(base + IS_GLOBAL) != 0,
                    StructFields.getU8(in, base + PORT_NUM));
        }
    }
}
