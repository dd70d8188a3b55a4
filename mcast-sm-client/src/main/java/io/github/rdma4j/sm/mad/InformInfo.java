// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;

/**
 * The traps that subnet administration is to report to the sender ({@code InformInfo}).
 *
 * @param gid reports about this port; zero for all ports
 * @param lidBegin reports about ports from this LID; {@link #ALL} for all ports
 * @param lidEnd reports about ports up to this LID
 * @param generic true for a trap of the specification, false for a vendor's trap
 * @param subscribe true to start a subscription, false to end it
 * @param type 0 fatal to 4 informational; {@link #ALL} for all types
 * @param trapNumber a trap of {@link Notice}; {@link #ALL} for all traps
 * @param qpn the queue pair that receives the reports, 24 bits; relevant only when a subscription ends
 * @param responseTimeExponent the exponent of the longest time until the subscriber answers, 5 bits
 * @param producerType 1 channel adapter, 2 switch, 4 subnet manager; 0xffffff for all
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
    static final RecordType<InformInfo> TYPE = new RecordType<>(SaAttributes.INFORM_INFO, 36, InformInfo::decode);

    /** All LIDs, types or traps. */
    public static final int ALL = 0xffff;

    private static final int ALL_PRODUCERS = 0xff_ffff;
    private static final int DEFAULT_RESPONSE_TIME = 18;

    private static final Field GID = Field.bytes("gid", 0, 16);
    private static final Field LID_BEGIN = Field.bytes("lidBegin", 16, 2);
    private static final Field LID_END = Field.bytes("lidEnd", 18, 2);
    private static final Field GENERIC = Field.bytes("generic", 22, 1);
    private static final Field SUBSCRIBE = Field.bytes("subscribe", 23, 1);
    private static final Field TRAP_TYPE = Field.bytes("type", 24, 2);
    private static final Field TRAP_NUMBER = Field.bytes("trapNumber", 26, 2);
    private static final Field QPN = Field.bytes("qpn", 28, 3);
    private static final Field RESPONSE_TIME = Field.bits("responseTimeExponent", 31, 3, 5);
    private static final Field PRODUCER_TYPE = Field.bytes("producerType", 33, 3);

    /** Throws {@link IllegalArgumentException} for values out of range. */
    public InformInfo {
        LID_BEGIN.check(lidBegin);
        LID_END.check(lidEnd);
        TRAP_TYPE.check(type);
        TRAP_NUMBER.check(trapNumber);
        QPN.check(qpn);
        RESPONSE_TIME.check(responseTimeExponent);
        PRODUCER_TYPE.check(producerType);
    }

    /** All reports of one trap of the specification, from all producers about all ports. */
    public static InformInfo ofTrap(int trapNumber) {
        return new InformInfo(
                new Gid(0, 0), ALL, 0, true, true, ALL, trapNumber, 1, DEFAULT_RESPONSE_TIME, ALL_PRODUCERS);
    }

    /** This information with {@code subscribe} false. */
    public InformInfo unsubscribe() {
        return new InformInfo(
                gid, lidBegin, lidEnd, generic, false, type, trapNumber, qpn, responseTimeExponent, producerType);
    }

    /** True if this subscribes to the notice, as far as the notice's content shows. */
    public boolean matches(Notice notice) {
        return notice.generic() == generic
                && (type == ALL || type == notice.type())
                && (trapNumber == ALL || trapNumber == notice.trapNumber())
                && (producerType == ALL_PRODUCERS || producerType == notice.producerType());
    }

    byte[] bytes() {
        ByteBuffer record = ByteBuffer.allocate(TYPE.bytes());
        GID.put(record, gid);
        LID_BEGIN.put(record, lidBegin);
        LID_END.put(record, lidEnd);
        GENERIC.put(record, generic ? 1 : 0);
        SUBSCRIBE.put(record, subscribe ? 1 : 0);
        TRAP_TYPE.put(record, type);
        TRAP_NUMBER.put(record, trapNumber);
        QPN.put(record, qpn);
        RESPONSE_TIME.put(record, responseTimeExponent);
        PRODUCER_TYPE.put(record, producerType);
        return record.array();
    }

    private static InformInfo decode(ByteBuffer record) {
        return new InformInfo(
                GID.gid(record),
                LID_BEGIN.get(record),
                LID_END.get(record),
                GENERIC.isSet(record),
                SUBSCRIBE.isSet(record),
                TRAP_TYPE.get(record),
                TRAP_NUMBER.get(record),
                QPN.get(record),
                RESPONSE_TIME.get(record),
                PRODUCER_TYPE.get(record));
    }
}
