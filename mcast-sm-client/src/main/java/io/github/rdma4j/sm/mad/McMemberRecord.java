// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.internal.uverbs.PathRecordBytes;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.nio.ByteBuffer;

/**
 * The membership of a port in a multicast group, or the group itself ({@code MCMemberRecord}). To a request without the
 * SM_Key the subnet manager shows one record a group, with {@code portGid} and {@code joinState} empty.
 *
 * <pre>{@code
 * MGID 16 bytes                             //  0
 * PortGID 16 bytes                          // 16
 * Q_Key u32                                 // 32
 * MLID u16                                  // 36
 * MTU selector 7:6, MTU 5:0                 // 38
 * TClass u8                                 // 39
 * P_Key u16                                 // 40
 * rate selector 7:6, rate 5:0               // 42
 * life time selector 7:6, life time 5:0     // 43
 * SL 31:28, FlowLabel 27:8, HopLimit 7:0    // 44
 * Scope 7:4, JoinState 3:0                  // 48
 * ProxyJoin 7                               // 49
 * }</pre>
 *
 * @param mgid the group
 * @param portGid the member
 * @param qkey the group's key, for the datagrams to it
 * @param mlid the group's local identifier, 0xc000 to 0xfffe
 * @param mtu {@code IBV_MTU_*}
 * @param trafficClass traffic class
 * @param pkey the partition key
 * @param rate the code of the rate
 * @param packetLifeTime the exponent of the life time, 4.096 us times a power of two
 * @param sl service level, 4 bits
 * @param flowLabel flow label, 20 bits
 * @param hopLimit hop limit
 * @param scope of the MGID, 4 bits
 * @param joinState bits: 1 full member, 2 non-member, 4 send-only non-member, 8 send-only full member
 * @param proxyJoin another port joined on behalf of this one
 */
public record McMemberRecord(
        Gid mgid,
        Gid portGid,
        int qkey,
        int mlid,
        PathRecord.Selected mtu,
        int trafficClass,
        int pkey,
        PathRecord.Selected rate,
        PathRecord.Selected packetLifeTime,
        int sl,
        int flowLabel,
        int hopLimit,
        int scope,
        int joinState,
        boolean proxyJoin) {
    public static final RecordType<McMemberRecord> TYPE =
            new RecordType<>(SaAttributes.MC_MEMBER_RECORD, Layout.BYTES, McMemberRecord::decode);

    static final int SL_SHIFT = 28;
    static final int SL_BITS = 4;
    static final int FLOW_LABEL_SHIFT = 8;
    static final int FLOW_LABEL_BITS = 20;
    static final int HOP_LIMIT_BITS = 8;
    static final int SCOPE_SHIFT = 4;
    static final int NIBBLE_BITS = 4;

    private static final int FLOW_LABEL_MAX = 0xfffff;
    private static final int HOP_LIMIT_MAX = 0xff;

    /** As specified the highest bit; OpenSM sends the lowest. */
    private static final int PROXY_JOIN = 0x81;

    /** Where the fields are. */
    public static final class Layout {
        public static final int MGID = 0;
        public static final int PORT_GID = 16;
        public static final int QKEY = 32;
        public static final int MLID = 36;
        public static final int MTU = 38;
        public static final int TRAFFIC_CLASS = 39;
        public static final int PKEY = 40;
        public static final int RATE = 42;
        public static final int PACKET_LIFE_TIME = 43;
        public static final int SL_FLOW_HOP = 44;
        public static final int SCOPE_JOIN_STATE = 48;
        public static final int PROXY_JOIN = 49;
        public static final int BYTES = 52;

        private Layout() {}
    }

    /** The fields with their bits. */
    public enum Field implements Component {
        MGID(0),
        PORT_GID(1),
        QKEY(2),
        MLID(3),
        MTU_SELECTOR(4),
        MTU(5),
        TRAFFIC_CLASS(6),
        PKEY(7),
        RATE_SELECTOR(8),
        RATE(9),
        PACKET_LIFE_TIME_SELECTOR(10),
        PACKET_LIFE_TIME(11),
        SL(12),
        FLOW_LABEL(13),
        HOP_LIMIT(14),
        SCOPE(15),
        JOIN_STATE(16),
        PROXY_JOIN(17);

        private final int bit;

        Field(int bit) {
            this.bit = bit;
        }

        @Override
        public int bit() {
            return bit;
        }
    }

    static McMemberRecord decode(ByteBuffer in, int base) {
        int slFlowHop = in.getInt(base + Layout.SL_FLOW_HOP);
        int scopeJoinState = StructFields.getU8(in, base + Layout.SCOPE_JOIN_STATE);
        return new McMemberRecord(
                GidBytes.decode(in, base + Layout.MGID),
                GidBytes.decode(in, base + Layout.PORT_GID),
                in.getInt(base + Layout.QKEY),
                StructFields.getU16(in, base + Layout.MLID),
                PathRecordBytes.selected(in, base + Layout.MTU),
                StructFields.getU8(in, base + Layout.TRAFFIC_CLASS),
                StructFields.getU16(in, base + Layout.PKEY),
                PathRecordBytes.selected(in, base + Layout.RATE),
                PathRecordBytes.selected(in, base + Layout.PACKET_LIFE_TIME),
                slFlowHop >>> SL_SHIFT,
                slFlowHop >>> FLOW_LABEL_SHIFT & FLOW_LABEL_MAX,
                slFlowHop & HOP_LIMIT_MAX,
                Fields.highNibble(scopeJoinState),
                Fields.lowNibble(scopeJoinState),
                (StructFields.getU8(in, base + Layout.PROXY_JOIN) & PROXY_JOIN) != 0);
    }

    /** An empty template. */
    public static McMemberTemplate template() {
        return new McMemberTemplate();
    }
}
