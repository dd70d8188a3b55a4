// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.verbs.Gid;
import java.nio.ByteBuffer;

/**
 * A path between two ports: flags of the kernel, then a PathRecord as subnet administration sends it, big-endian.
 *
 * <pre>{@code
 * struct ibv_path_data {               // infiniband/sa.h, uapi struct ib_path_rec_data
 *     __u32 flags;                     //  0  IB_PATH_*, native order
 *     __u32 reserved;                  //  4
 *     __be64 path.service_id;          //  8
 *     union ibv_gid path.dgid;         // 16
 *     union ibv_gid path.sgid;         // 32
 *     __be16 path.dlid;                // 48
 *     __be16 path.slid;                // 50
 *     __be32 path.flowlabel_hoplimit;  // 52  reserved 31:28, flow label 27:8, hop limit 7:0
 *     __u8 path.tclass;                // 56
 *     __u8 path.reversible_numpath;    // 57  reversible 7, number of paths 6:0
 *     __be16 path.pkey;                // 58
 *     __be16 path.qosclass_sl;         // 60  QoS class 15:4, service level 3:0
 *     __u8 path.mtu;                   // 62  selector 7:6, IBV_MTU_* 5:0
 *     __u8 path.rate;                  // 63  selector 7:6, rate 5:0
 *     __u8 path.packetlifetime;        // 64  selector 7:6, lifetime 5:0
 *     __u8 path.preference;            // 65
 *     __u8 path.reserved;              // 66
 * };                                   // 72
 * }</pre>
 *
 * @param flags {@code IB_PATH_*} of {@code rdma/ib_user_sa.h}
 * @param serviceId service id, 0 for any
 * @param dgid GID of the destination
 * @param sgid GID of the source
 * @param dlid local identifier of the destination, 0 on Ethernet
 * @param slid local identifier of the source, 0 on Ethernet
 * @param flowLabel flow label, 20 bits
 * @param hopLimit hop limit
 * @param trafficClass traffic class
 * @param reversible the path back is the same
 * @param numbPath number of paths, 7 bits
 * @param pkey the partition key
 * @param qosClass class of service, 12 bits
 * @param sl service level, 4 bits
 * @param mtu {@code IBV_MTU_*} and its selector
 * @param rate code of the rate and its selector
 * @param packetLifeTime exponent of the life time, 4.096 us times a power of two, and its selector
 * @param preference preference among paths, 0 is best
 */
@KernelStruct(value = "struct ibv_path_data", header = "infiniband/sa.h")
public record PathRecord(
        int flags,
        long serviceId,
        Gid dgid,
        Gid sgid,
        int dlid,
        int slid,
        int flowLabel,
        int hopLimit,
        int trafficClass,
        boolean reversible,
        int numbPath,
        int pkey,
        int qosClass,
        int sl,
        Selected mtu,
        Selected rate,
        Selected packetLifeTime,
        int preference) {
    private static final int FLOW_LABEL_SHIFT = 8;
    private static final int FLOW_LABEL_MAX = 0xfffff;
    private static final int HOP_LIMIT_MAX = 0xff;
    private static final int REVERSIBLE = 0x80;
    private static final int NUMB_PATH_MAX = 0x7f;
    private static final int QOS_CLASS_SHIFT = 4;
    private static final int QOS_CLASS_MAX = 0xfff;
    private static final int SL_MAX = 0xf;

    public static final class Layout {
        public static final int FLAGS = 0;
        public static final int RESERVED = 4;

        @CName("path.service_id")
        public static final int SERVICE_ID = 8;

        @CName("path.dgid")
        public static final int DGID = 16;

        @CName("path.sgid")
        public static final int SGID = 32;

        @CName("path.dlid")
        public static final int DLID = 48;

        @CName("path.slid")
        public static final int SLID = 50;

        @CName("path.flowlabel_hoplimit")
        public static final int FLOWLABEL_HOPLIMIT = 52;

        @CName("path.tclass")
        public static final int TCLASS = 56;

        @CName("path.reversible_numpath")
        public static final int REVERSIBLE_NUMPATH = 57;

        @CName("path.pkey")
        public static final int PKEY = 58;

        @CName("path.qosclass_sl")
        public static final int QOSCLASS_SL = 60;

        @CName("path.mtu")
        public static final int MTU = 62;

        @CName("path.rate")
        public static final int RATE = 63;

        @CName("path.packetlifetime")
        public static final int PACKETLIFETIME = 64;

        @CName("path.preference")
        public static final int PREFERENCE = 65;

        @CName("path.reserved")
        public static final int PATH_RESERVED = 66;

        public static final int BYTES = 72;

        private Layout() {}
    }

    /**
     * A value of which a query can ask for more than, less than or exactly as much.
     *
     * @param selector 0 greater than, 1 less than, 2 exactly, 3 the largest available
     * @param value the code, 6 bits
     */
    public record Selected(int selector, int value) {
        private static final int SELECTOR_SHIFT = 6;
        private static final int SELECTOR_MAX = 3;
        private static final int VALUE_MAX = 0x3f;

        /** Throws {@link IllegalArgumentException} for what does not fit. */
        public Selected {
            check("selector", selector, SELECTOR_MAX);
            check("value", value, VALUE_MAX);
        }

        private void encode(ByteBuffer out, int offset) {
            out.put(offset, (byte) (selector << SELECTOR_SHIFT | value));
        }

        private static Selected decode(ByteBuffer in, int offset) {
            int octet = StructFields.getU8(in, offset);
            return new Selected(octet >> SELECTOR_SHIFT, octet & VALUE_MAX);
        }
    }

    /** Throws {@link IllegalArgumentException} for what does not fit into the bits of the record. */
    public PathRecord {
        check("flowLabel", flowLabel, FLOW_LABEL_MAX);
        check("hopLimit", hopLimit, HOP_LIMIT_MAX);
        check("numbPath", numbPath, NUMB_PATH_MAX);
        check("qosClass", qosClass, QOS_CLASS_MAX);
        check("sl", sl, SL_MAX);
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        out.putInt(base + Layout.FLAGS, flags);
        out.putInt(base + Layout.RESERVED, 0);
        StructFields.putBe64(out, base + Layout.SERVICE_ID, serviceId);
        dgid.encode(out, base + Layout.DGID);
        sgid.encode(out, base + Layout.SGID);
        StructFields.putBe16(out, base + Layout.DLID, dlid);
        StructFields.putBe16(out, base + Layout.SLID, slid);
        StructFields.putBe32(out, base + Layout.FLOWLABEL_HOPLIMIT, flowLabel << FLOW_LABEL_SHIFT | hopLimit);
        StructFields.putU8(out, base + Layout.TCLASS, trafficClass);
        StructFields.putU8(out, base + Layout.REVERSIBLE_NUMPATH, (reversible ? REVERSIBLE : 0) | numbPath);
        StructFields.putBe16(out, base + Layout.PKEY, pkey);
        StructFields.putBe16(out, base + Layout.QOSCLASS_SL, qosClass << QOS_CLASS_SHIFT | sl);
        mtu.encode(out, base + Layout.MTU);
        rate.encode(out, base + Layout.RATE);
        packetLifeTime.encode(out, base + Layout.PACKETLIFETIME);
        StructFields.putU8(out, base + Layout.PREFERENCE, preference);
        StructFields.zero(out, base + Layout.PATH_RESERVED, Layout.BYTES - Layout.PATH_RESERVED);
    }

    /** Reads the record at {@code base} of a buffer in native order. */
    public static PathRecord decode(ByteBuffer in, int base) {
        int flowHop = StructFields.getBe32(in, base + Layout.FLOWLABEL_HOPLIMIT);
        int reversibleNumPath = StructFields.getU8(in, base + Layout.REVERSIBLE_NUMPATH);
        int qosSl = StructFields.getBe16(in, base + Layout.QOSCLASS_SL);
        return new PathRecord(
                in.getInt(base + Layout.FLAGS),
                StructFields.getBe64(in, base + Layout.SERVICE_ID),
                Gid.decode(in, base + Layout.DGID),
                Gid.decode(in, base + Layout.SGID),
                StructFields.getBe16(in, base + Layout.DLID),
                StructFields.getBe16(in, base + Layout.SLID),
                flowHop >>> FLOW_LABEL_SHIFT & FLOW_LABEL_MAX,
                flowHop & HOP_LIMIT_MAX,
                StructFields.getU8(in, base + Layout.TCLASS),
                (reversibleNumPath & REVERSIBLE) != 0,
                reversibleNumPath & NUMB_PATH_MAX,
                StructFields.getBe16(in, base + Layout.PKEY),
                qosSl >> QOS_CLASS_SHIFT,
                qosSl & SL_MAX,
                Selected.decode(in, base + Layout.MTU),
                Selected.decode(in, base + Layout.RATE),
                Selected.decode(in, base + Layout.PACKETLIFETIME),
                StructFields.getU8(in, base + Layout.PREFERENCE));
    }

    private static void check(String name, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(name + " " + value + " is not in 0.." + max);
        }
    }
}
