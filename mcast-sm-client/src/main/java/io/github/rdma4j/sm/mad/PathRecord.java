// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.verbs.Gid;
import java.nio.ByteBuffer;

/**
 * A path between two ports ({@code PathRecord}).
 *
 * <pre>{@code
 * ServiceID u64                                         //  0
 * DGID 16 bytes                                         //  8
 * SGID 16 bytes                                         // 24
 * DLID u16                                              // 40
 * SLID u16                                              // 42
 * RawTraffic 31, reserved, FlowLabel 27:8, HopLimit 7:0 // 44
 * TClass u8                                             // 48
 * Reversible 7, NumbPath 6:0                            // 49
 * P_Key u16                                             // 50
 * QoS class 15:4, SL 3:0                                // 52
 * MTU selector 7:6, MTU 5:0                             // 54
 * rate selector 7:6, rate 5:0                           // 55
 * life time selector 7:6, life time 5:0                 // 56
 * Preference u8                                         // 57
 * reserved 6 bytes                                      // 58
 * }</pre>
 *
 * @param serviceId service id, 0 for any
 * @param dgid GID of the destination
 * @param sgid GID of the source
 * @param dlid local identifier of the destination
 * @param slid local identifier of the source
 * @param rawTraffic raw packets pass, too
 * @param flowLabel flow label, 20 bits
 * @param hopLimit hop limit
 * @param trafficClass traffic class
 * @param reversible the path back is the same
 * @param numbPath number of paths, 7 bits
 * @param pkey the partition key
 * @param qosClass class of service, 12 bits
 * @param sl service level, 4 bits
 * @param mtu {@code IBV_MTU_*}
 * @param rate the code of the rate
 * @param packetLifeTime the exponent of the life time, 4.096 us times a power of two
 * @param preference among paths, 0 is best
 */
public record PathRecord(
        long serviceId,
        Gid dgid,
        Gid sgid,
        int dlid,
        int slid,
        boolean rawTraffic,
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
    public static final RecordType<PathRecord> TYPE =
            new RecordType<>(SaAttributes.PATH_RECORD, Layout.BYTES, PathRecord::decode);

    static final int FLOW_LABEL_SHIFT = 8;
    static final int FLOW_LABEL_BITS = 20;
    static final int HOP_LIMIT_BITS = 8;
    static final int NUMB_PATH_BITS = 7;
    static final int REVERSIBLE_SHIFT = 7;
    static final int SL_BITS = 4;

    private static final int FLOW_LABEL_MAX = 0xfffff;
    private static final int OCTET = 0xff;
    private static final int NUMB_PATH_MAX = 0x7f;
    private static final int QOS_CLASS_SHIFT = 4;

    /** Where the fields are. */
    public static final class Layout {
        public static final int SERVICE_ID = 0;
        public static final int DGID = 8;
        public static final int SGID = 24;
        public static final int DLID = 40;
        public static final int SLID = 42;
        public static final int RAW_FLOW_HOP = 44;
        public static final int TRAFFIC_CLASS = 48;
        public static final int REVERSIBLE_NUMB_PATH = 49;
        public static final int PKEY = 50;
        public static final int QOS_CLASS_SL = 52;
        public static final int MTU = 54;
        public static final int RATE = 55;
        public static final int PACKET_LIFE_TIME = 56;
        public static final int PREFERENCE = 57;
        public static final int BYTES = 64;

        private Layout() {}
    }

    /** The fields with their bits; the service id, which has two, is in no template. */
    public enum Field implements Component {
        DGID(2),
        SGID(3),
        DLID(4),
        SLID(5),
        RAW_TRAFFIC(6),
        FLOW_LABEL(8),
        HOP_LIMIT(9),
        TRAFFIC_CLASS(10),
        REVERSIBLE(11),
        NUMB_PATH(12),
        PKEY(13),
        QOS_CLASS(14),
        SL(15),
        MTU_SELECTOR(16),
        MTU(17),
        RATE_SELECTOR(18),
        RATE(19),
        PACKET_LIFE_TIME_SELECTOR(20),
        PACKET_LIFE_TIME(21);

        private final int bit;

        Field(int bit) {
            this.bit = bit;
        }

        @Override
        public int bit() {
            return bit;
        }
    }

    static PathRecord decode(ByteBuffer in, int base) {
        int rawFlowHop = in.getInt(base + Layout.RAW_FLOW_HOP);
        int reversibleNumbPath = StructFields.getU8(in, base + Layout.REVERSIBLE_NUMB_PATH);
        int qosSl = StructFields.getU16(in, base + Layout.QOS_CLASS_SL);
        return new PathRecord(
                in.getLong(base + Layout.SERVICE_ID),
                Gid.decode(in, base + Layout.DGID),
                Gid.decode(in, base + Layout.SGID),
                StructFields.getU16(in, base + Layout.DLID),
                StructFields.getU16(in, base + Layout.SLID),
                rawFlowHop < 0,
                rawFlowHop >>> FLOW_LABEL_SHIFT & FLOW_LABEL_MAX,
                rawFlowHop & OCTET,
                StructFields.getU8(in, base + Layout.TRAFFIC_CLASS),
                reversibleNumbPath >> REVERSIBLE_SHIFT != 0,
                reversibleNumbPath & NUMB_PATH_MAX,
                StructFields.getU16(in, base + Layout.PKEY),
                qosSl >> QOS_CLASS_SHIFT,
                Fields.lowNibble(qosSl),
                Selected.decode(in, base + Layout.MTU),
                Selected.decode(in, base + Layout.RATE),
                Selected.decode(in, base + Layout.PACKET_LIFE_TIME),
                StructFields.getU8(in, base + Layout.PREFERENCE));
    }

    /** An empty template. */
    public static PathTemplate template() {
        return new PathTemplate();
    }
}
