// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.nio.ByteBuffer;

/**
 * A {@link PathRecord} as subnet administration sends it and the kernel passes it on, big-endian.
 */
@KernelStruct(value = "struct ibv_path_record", header = "infiniband/sa.h")
public final class PathRecordBytes {
    public static final int FLOW_LABEL_SHIFT = 8;
    public static final int REVERSIBLE_SHIFT = 7;

    private static final int RAW_TRAFFIC = 1 << 31;
    private static final int FLOW_LABEL_MAX = 0xfffff;
    private static final int OCTET = 0xff;
    private static final int NUMB_PATH_MAX = 0x7f;
    private static final int QOS_CLASS_SHIFT = 4;
    private static final int SL_MAX = 0xf;
    private static final int SELECTOR_SHIFT = 6;
    private static final int CODE_MAX = 0x3f;

    public static final class Layout {
        public static final int SERVICE_ID = 0; // __be64
        public static final int DGID = 8; // union ibv_gid
        public static final int SGID = 24; // union ibv_gid
        public static final int DLID = 40; // __be16
        public static final int SLID = 42; // __be16
        // __be32: raw traffic 31, reserved 30:28, flow label 27:8, hop limit 7:0
        public static final int FLOWLABEL_HOPLIMIT = 44;
        public static final int TCLASS = 48; // uint8_t
        public static final int REVERSIBLE_NUMPATH = 49; // uint8_t: reversible 7, number of paths 6:0
        public static final int PKEY = 50; // __be16
        public static final int QOSCLASS_SL = 52; // __be16: QoS class 15:4, service level 3:0
        public static final int MTU = 54; // uint8_t: selector 7:6, IBV_MTU_* 5:0
        public static final int RATE = 55; // uint8_t: selector 7:6, IBV_RATE_* 5:0
        public static final int PACKETLIFETIME = 56; // uint8_t: selector 7:6, life time 5:0
        public static final int PREFERENCE = 57; // uint8_t
        public static final int RESERVED = 58; // uint8_t[6]
        public static final int BYTES = 64;

        private Layout() {}
    }

    private PathRecordBytes() {}

    /** Writes all {@link Layout#BYTES} bytes at {@code base} of a buffer in any byte order. */
    public static void encode(PathRecord path, ByteBuffer out, int base) {
        StructFields.putBe64(out, base + Layout.SERVICE_ID, path.serviceId());
        GidBytes.encode(path.dgid(), out, base + Layout.DGID);
        GidBytes.encode(path.sgid(), out, base + Layout.SGID);
        StructFields.putBe16(out, base + Layout.DLID, path.dlid());
        StructFields.putBe16(out, base + Layout.SLID, path.slid());
        StructFields.putBe32(
                out,
                base + Layout.FLOWLABEL_HOPLIMIT,
                (path.rawTraffic() ? RAW_TRAFFIC : 0) | path.flowLabel() << FLOW_LABEL_SHIFT | path.hopLimit());
        StructFields.putU8(out, base + Layout.TCLASS, path.trafficClass());
        int reversible = path.reversible() ? 1 << REVERSIBLE_SHIFT : 0;
        StructFields.putU8(out, base + Layout.REVERSIBLE_NUMPATH, reversible | path.numbPath());
        StructFields.putBe16(out, base + Layout.PKEY, path.pkey());
        StructFields.putBe16(out, base + Layout.QOSCLASS_SL, path.qosClass() << QOS_CLASS_SHIFT | path.sl());
        StructFields.putU8(out, base + Layout.MTU, octet(path.mtu()));
        StructFields.putU8(out, base + Layout.RATE, octet(path.rate()));
        StructFields.putU8(out, base + Layout.PACKETLIFETIME, octet(path.packetLifeTime()));
        StructFields.putU8(out, base + Layout.PREFERENCE, path.preference());
        StructFields.zero(out, base + Layout.RESERVED, Layout.BYTES - Layout.RESERVED);
    }

    /** Reads the record at {@code base} of a buffer in any byte order. */
    public static PathRecord decode(ByteBuffer in, int base) {
        int rawFlowHop = StructFields.getBe32(in, base + Layout.FLOWLABEL_HOPLIMIT);
        int reversibleNumPath = StructFields.getU8(in, base + Layout.REVERSIBLE_NUMPATH);
        int qosSl = StructFields.getBe16(in, base + Layout.QOSCLASS_SL);
        return new PathRecord(
                StructFields.getBe64(in, base + Layout.SERVICE_ID),
                GidBytes.decode(in, base + Layout.DGID),
                GidBytes.decode(in, base + Layout.SGID),
                StructFields.getBe16(in, base + Layout.DLID),
                StructFields.getBe16(in, base + Layout.SLID),
                (rawFlowHop & RAW_TRAFFIC) != 0,
                rawFlowHop >>> FLOW_LABEL_SHIFT & FLOW_LABEL_MAX,
                rawFlowHop & OCTET,
                StructFields.getU8(in, base + Layout.TCLASS),
                reversibleNumPath >> REVERSIBLE_SHIFT != 0,
                reversibleNumPath & NUMB_PATH_MAX,
                StructFields.getBe16(in, base + Layout.PKEY),
                qosSl >> QOS_CLASS_SHIFT,
                qosSl & SL_MAX,
                selected(in, base + Layout.MTU),
                selected(in, base + Layout.RATE),
                selected(in, base + Layout.PACKETLIFETIME),
                StructFields.getU8(in, base + Layout.PREFERENCE));
    }

    /** The code and its selector in one byte. */
    public static int octet(PathRecord.Selected value) {
        return value.selector().code() << SELECTOR_SHIFT | value.code();
    }

    /** Reads a code and its selector from one byte. */
    public static PathRecord.Selected selected(ByteBuffer in, int offset) {
        int octet = StructFields.getU8(in, offset);
        return new PathRecord.Selected(PathRecord.Selector.of(octet >> SELECTOR_SHIFT), octet & CODE_MAX);
    }
}
