// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;

/**
 * Which traps subnet administration is to report to the sender ({@code InformInfo}).
 *
 * <pre>{@code
 * GID 16 bytes                                 //  0
 * LIDRangeBegin u16                            // 16
 * LIDRangeEnd u16                              // 18
 * reserved u16                                 // 20
 * IsGeneric u8                                 // 22
 * Subscribe u8                                 // 23
 * Type u16                                     // 24
 * TrapNumber u16                               // 26
 * QPN 31:8, RespTimeValue 4:0                  // 28
 * reserved 31:24, ProducerType 23:0            // 32
 * }</pre>
 *
 * @param gid reports about this port; zero for all
 * @param lidBegin reports about ports from this LID; 0xffff for all
 * @param lidEnd up to this LID
 * @param generic a trap of the specification; otherwise of a vendor
 * @param subscribe false ends a subscription
 * @param type 0 fatal to 4 informational; 0xffff for all
 * @param trapNumber {@link Notice}; 0xffff for all
 * @param qpn where the reports go, 24 bits; looked at in a refusal only
 * @param responseTimeExponent how long the subscriber may take to answer, 5 bits
 * @param producerType who found it: 1 channel adapter, 2 switch, 4 subnet manager; 0xffffff for all
 */
public record InformInfo(
        Gid gid,
        int lidBegin,
        int lidEnd,
        boolean generic,
        boolean subscribe,
        int type,
        int trapNumber,
        int qpn,
        int responseTimeExponent,
        int producerType) {
    public static final RecordType<InformInfo> TYPE =
            new RecordType<>(SaAttributes.INFORM_INFO, Layout.BYTES, InformInfo::decode);

    /** All LIDs, types or traps. */
    public static final int ALL = 0xffff;

    private static final int ALL_PRODUCERS = 0xff_ffff;
    private static final int MAX_24 = 0xff_ffff;
    private static final int RESPONSE_TIME_MAX = 0x1f;
    private static final int DEFAULT_RESPONSE_TIME = 18;
    private static final int QPN_SHIFT = 8;

    /** Where the fields are. */
    public static final class Layout {
        public static final int GID = 0;
        public static final int LID_BEGIN = 16;
        public static final int LID_END = 18;
        public static final int IS_GENERIC = 22;
        public static final int SUBSCRIBE = 23;
        public static final int TYPE = 24;
        public static final int TRAP_NUMBER = 26;
        public static final int QPN_RESPONSE_TIME = 28;
        public static final int PRODUCER_TYPE = 32;
        public static final int BYTES = 36;

        private Layout() {}
    }

    /** Throws {@link IllegalArgumentException} for what does not fit. */
    public InformInfo {
        Fields.check("qpn", qpn, MAX_24);
        Fields.check("responseTimeExponent", responseTimeExponent, RESPONSE_TIME_MAX);
        Fields.check("producerType", producerType, MAX_24);
    }

    /** All reports of one trap of the specification, whoever it is about. */
    public static InformInfo ofTrap(int trapNumber) {
        return new InformInfo(
                new Gid(0, 0), ALL, 0, true, true, ALL, trapNumber, 1, DEFAULT_RESPONSE_TIME, ALL_PRODUCERS);
    }

    /** The same with {@code subscribe} false. */
    public InformInfo unsubscribe() {
        return new InformInfo(
                gid, lidBegin, lidEnd, generic, false, type, trapNumber, qpn, responseTimeExponent, producerType);
    }

    /** Whether a notice is one of those that this asks for, as far as a notice tells. */
    public boolean matches(Notice notice) {
        return notice.generic() == generic
                && (type == ALL || type == notice.type())
                && (trapNumber == ALL || trapNumber == notice.trapNumber())
                && (producerType == ALL_PRODUCERS || producerType == notice.producerType());
    }

    byte[] bytes() {
        ByteBuffer out = ByteBuffer.allocate(Layout.BYTES);
        GidBytes.encode(gid, out, Layout.GID);
        StructFields.putU16(out, Layout.LID_BEGIN, lidBegin);
        StructFields.putU16(out, Layout.LID_END, lidEnd);
        StructFields.putU8(out, Layout.IS_GENERIC, generic ? 1 : 0);
        StructFields.putU8(out, Layout.SUBSCRIBE, subscribe ? 1 : 0);
        StructFields.putU16(out, Layout.TYPE, type);
        StructFields.putU16(out, Layout.TRAP_NUMBER, trapNumber);
        out.putInt(Layout.QPN_RESPONSE_TIME, qpn << QPN_SHIFT | responseTimeExponent);
        out.putInt(Layout.PRODUCER_TYPE, producerType);
        return out.array();
    }

    static InformInfo decode(ByteBuffer in, int base) {
        int qpnResponseTime = in.getInt(base + Layout.QPN_RESPONSE_TIME);
        return new InformInfo(
                GidBytes.decode(in, base + Layout.GID),
                StructFields.getU16(in, base + Layout.LID_BEGIN),
                StructFields.getU16(in, base + Layout.LID_END),
                StructFields.getU8(in, base + Layout.IS_GENERIC) != 0,
                StructFields.getU8(in, base + Layout.SUBSCRIBE) != 0,
                StructFields.getU16(in, base + Layout.TYPE),
                StructFields.getU16(in, base + Layout.TRAP_NUMBER),
                qpnResponseTime >>> QPN_SHIFT,
                qpnResponseTime & RESPONSE_TIME_MAX,
                in.getInt(base + Layout.PRODUCER_TYPE) & MAX_24);
    }
}
