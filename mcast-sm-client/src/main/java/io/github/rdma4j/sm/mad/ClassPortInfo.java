// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * The capabilities of a management class at a port, and the address of another port that serves the class instead
 * ({@code ClassPortInfo}).
 *
 * @param classVersion the version of the class
 * @param capabilityMask 16 bits
 * @param capabilityMask2 27 bits
 * @param responseTimeExponent the exponent of {@link #responseTime()}, 5 bits
 * @param redirectGid the GID of the port that serves the class; zero for none
 * @param redirectSl the service level to that port
 * @param redirectLid the local identifier of that port; 0 for none
 * @param redirectPkey the partition key for that port
 * @param redirectQpn the queue pair number, 24 bits
 * @param redirectQkey the Q_Key of the queue pair
 */
public record ClassPortInfo(
        int classVersion,
        int capabilityMask,
        int capabilityMask2,
        int responseTimeExponent,
        Gid redirectGid,
        int redirectSl,
        int redirectLid,
        int redirectPkey,
        int redirectQpn,
        int redirectQkey) {
    static final RecordType<ClassPortInfo> TYPE =
            new RecordType<>(SaAttributes.CLASS_PORT_INFO, 72, ClassPortInfo::decode);

    /** The bit of {@code capabilityMask} for the optional records. */
    public static final int OPTIONAL_RECORDS = 1 << 8;

    /** The bit of {@code capabilityMask} for multicast. */
    public static final int UD_MULTICAST = 1 << 9;

    /** The bit of {@code capabilityMask2} for joins as a send-only full member. */
    public static final int SEND_ONLY_FULL_MEMBER = 1 << 12;

    private static final Field CLASS_VERSION = Field.bytes("classVersion", 1, 1);
    private static final Field CAPABILITY_MASK = Field.bytes("capabilityMask", 2, 2);
    private static final Field CAPABILITY_MASK_2 = Field.bits("capabilityMask2", 4, 0, 27);
    private static final Field RESPONSE_TIME = Field.bits("exponent", 4, 27, 5);
    private static final Field REDIRECT_GID = Field.bytes("redirectGid", 8, 16);
    private static final Field REDIRECT_SL = Field.bits("redirectSl", 25, 0, 4);
    private static final Field REDIRECT_LID = Field.bytes("redirectLid", 28, 2);
    private static final Field REDIRECT_PKEY = Field.bytes("redirectPkey", 30, 2);
    private static final Field REDIRECT_QPN = Field.bytes("redirectQpn", 33, 3);
    private static final Field REDIRECT_QKEY = Field.bytes("redirectQkey", 36, 4);

    private static final long TIME_UNIT_NANOS = 4096;

    private static ClassPortInfo decode(ByteBuffer record) {
        return new ClassPortInfo(
                CLASS_VERSION.get(record),
                CAPABILITY_MASK.get(record),
                CAPABILITY_MASK_2.get(record),
                RESPONSE_TIME.get(record),
                REDIRECT_GID.gid(record),
                REDIRECT_SL.get(record),
                REDIRECT_LID.get(record),
                REDIRECT_PKEY.get(record),
                REDIRECT_QPN.get(record),
                REDIRECT_QKEY.get(record));
    }

    /** The longest time until an answer is sent, as declared: up to 2 hours and 26 minutes. */
    public Duration responseTime() {
        return time(responseTimeExponent);
    }

    /** True when a port may join a group as a send-only full member. */
    public boolean supportsSendOnlyFullMember() {
        return (capabilityMask2 & SEND_ONLY_FULL_MEMBER) != 0;
    }

    /** 4.096 us times two to the power of {@code exponent}, 0 to 31: the unit of all times of the specification. */
    public static Duration time(int exponent) {
        return Duration.ofNanos(TIME_UNIT_NANOS << RESPONSE_TIME.check(exponent));
    }
}
