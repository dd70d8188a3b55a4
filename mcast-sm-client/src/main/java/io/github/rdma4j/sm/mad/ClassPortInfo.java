// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * What a management class can do at a port, and where it is to be found instead ({@code ClassPortInfo}).
 *
 * <pre>{@code
 * BaseVersion u8                                                   //  0
 * ClassVersion u8                                                  //  1
 * CapabilityMask u16                                               //  2
 * CapabilityMask2 31:5, RespTimeValue 4:0                          //  4
 * RedirectGID 16 bytes                                             //  8
 * RedirectTC 31:24, RedirectSL 23:20, RedirectFL 19:0              // 24
 * RedirectLID u16                                                  // 28
 * RedirectP_Key u16                                                // 30
 * reserved 31:24, RedirectQP 23:0                                  // 32
 * RedirectQ_Key u32                                                // 36
 * TrapGID 16 bytes                                                 // 40
 * TrapTC 31:24, TrapSL 23:20, TrapFL 19:0                          // 56
 * TrapLID u16                                                      // 60
 * TrapP_Key u16                                                    // 62
 * TrapHL 31:24, TrapQP 23:0                                        // 64
 * TrapQ_Key u32                                                    // 68
 * }</pre>
 *
 * @param classVersion the version of the class
 * @param capabilityMask 16 bits
 * @param capabilityMask2 27 bits
 * @param responseTimeExponent how long an answer may take: 4.096 us times 2 to the power of this, 5 bits
 * @param redirectGid another port that answers; zero for none
 * @param redirectSl the service level to it
 * @param redirectLid its local identifier; 0 for none
 * @param redirectPkey the partition key to use with it
 * @param redirectQpn its queue pair, 24 bits
 * @param redirectQkey the key of that queue pair
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
    public static final RecordType<ClassPortInfo> TYPE =
            new RecordType<>(SaAttributes.CLASS_PORT_INFO, Layout.BYTES, ClassPortInfo::decode);

    /** In {@code capabilityMask}: the optional records are there. */
    public static final int OPTIONAL_RECORDS = 1 << 8;

    /** In {@code capabilityMask}: there is multicast. */
    public static final int UD_MULTICAST = 1 << 9;

    /** In {@code capabilityMask2}: a port may join as a send-only full member. */
    public static final int SEND_ONLY_FULL_MEMBER = 1 << 12;

    private static final int MASK2_SHIFT = 5;
    private static final int RESPONSE_TIME_MAX = 0x1f;
    private static final int QPN_MAX = 0xff_ffff;
    private static final long TIME_UNIT_NANOS = 4096;

    /** Where the fields are. */
    public static final class Layout {
        public static final int CLASS_VERSION = 1;
        public static final int CAPABILITY_MASK = 2;
        public static final int MASK2_RESPONSE_TIME = 4;
        public static final int REDIRECT_GID = 8;
        public static final int REDIRECT_TC_SL_FL = 24;
        public static final int REDIRECT_LID = 28;
        public static final int REDIRECT_PKEY = 30;
        public static final int REDIRECT_QP = 32;
        public static final int REDIRECT_QKEY = 36;
        public static final int BYTES = 72;

        private Layout() {}
    }

    static ClassPortInfo decode(ByteBuffer in, int base) {
        int mask2ResponseTime = in.getInt(base + Layout.MASK2_RESPONSE_TIME);
        return new ClassPortInfo(
                StructFields.getU8(in, base + Layout.CLASS_VERSION),
                StructFields.getU16(in, base + Layout.CAPABILITY_MASK),
                mask2ResponseTime >>> MASK2_SHIFT,
                mask2ResponseTime & RESPONSE_TIME_MAX,
                GidBytes.decode(in, base + Layout.REDIRECT_GID),
                Fields.serviceLevel(in.getInt(base + Layout.REDIRECT_TC_SL_FL)),
                StructFields.getU16(in, base + Layout.REDIRECT_LID),
                StructFields.getU16(in, base + Layout.REDIRECT_PKEY),
                in.getInt(base + Layout.REDIRECT_QP) & QPN_MAX,
                in.getInt(base + Layout.REDIRECT_QKEY));
    }

    /** How long an answer may take. */
    public Duration responseTime() {
        return time(responseTimeExponent);
    }

    /** Whether a port may join a group as a send-only full member. */
    public boolean supportsSendOnlyFullMember() {
        return (capabilityMask2 & SEND_ONLY_FULL_MEMBER) != 0;
    }

    /** 4.096 us times two to the power of {@code exponent}, the unit of all times of the specification. */
    public static Duration time(int exponent) {
        return Duration.ofNanos(TIME_UNIT_NANOS << Fields.check("exponent", exponent, RESPONSE_TIME_MAX));
    }
}
