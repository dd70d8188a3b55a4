// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.QpCommands.QueryQpReply;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.nio.ByteBuffer;

/**
 * An {@link AhAttr} as the kernel passes it, except in the commands that change and query a queue pair: see
 * {@link QpDest}.
 */
@KernelStruct(value = "struct ib_uverbs_ah_attr", header = "rdma/ib_user_verbs.h")
public final class AhAttrBytes {
    @CName("grh.dgid")
    public static final int DGID = 0; // __u8: 16 raw bytes

    @CName("grh.flow_label")
    public static final int FLOW_LABEL = 16; // __u32

    @CName("grh.sgid_index")
    public static final int SGID_INDEX = 20; // __u8

    @CName("grh.hop_limit")
    public static final int HOP_LIMIT = 21; // __u8

    @CName("grh.traffic_class")
    public static final int TRAFFIC_CLASS = 22; // __u8

    @CName("grh.reserved")
    public static final int GRH_RESERVED = 23; // __u8

    public static final int DLID = 24; // __u16
    public static final int SL = 26; // __u8
    public static final int SRC_PATH_BITS = 27; // __u8
    public static final int STATIC_RATE = 28; // __u8
    public static final int IS_GLOBAL = 29; // __u8
    public static final int PORT_NUM = 30; // __u8
    public static final int RESERVED = 31; // __u8
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
     * An {@link AhAttr} as {@link ModifyQp.Command} and {@link QueryQpReply} hold it: the members of struct
     * ib_uverbs_ah_attr, see {@link AhAttrBytes}, in another order.
     */
    @KernelStruct(value = "struct ib_uverbs_qp_dest", header = "rdma/ib_user_verbs.h")
    public static final class QpDest {
        public static final int DGID = 0; // __u8[16]: raw bytes
        public static final int FLOW_LABEL = 16; // __u32
        public static final int DLID = 20; // __u16
        public static final int RESERVED = 22; // __u16
        public static final int SGID_INDEX = 24; // __u8
        public static final int HOP_LIMIT = 25; // __u8
        public static final int TRAFFIC_CLASS = 26; // __u8
        public static final int SL = 27; // __u8
        public static final int SRC_PATH_BITS = 28; // __u8
        public static final int STATIC_RATE = 29; // __u8
        public static final int IS_GLOBAL = 30; // __u8
        public static final int PORT_NUM = 31; // __u8
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

    /**
     * Creates an address handle.
     *
     * @param userHandle not used by the kernel
     * @param pdHandle the protection domain
     * @param attr the address
     */
    @KernelStruct(value = "struct ib_uverbs_create_ah", header = "rdma/ib_user_verbs.h")
    public record CreateAh(long userHandle, int pdHandle, AhAttr attr) {
        public static final int USER_HANDLE = 8; // __aligned_u64
        public static final int PD_HANDLE = 16; // __u32
        public static final int ATTR = 24; // struct ib_uverbs_ah_attr
        public static final int BYTES = 56;

        /** Writes the command at {@code base} of zeros in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putLong(base + USER_HANDLE, userHandle);
            out.putInt(base + PD_HANDLE, pdHandle);
            AhAttrBytes.encode(attr, out, base + ATTR);
        }
    }
}
