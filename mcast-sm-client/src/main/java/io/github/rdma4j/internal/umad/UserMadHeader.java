// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.umad;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;

/**
 * The header in front of a MAD, in writes and reads. Without the index of the partition key and the reserved bytes it
 * is {@code struct ib_user_mad_hdr_old}, the default header of a file.
 *
 * <pre>{@code
 * struct ib_user_mad_hdr {  // uapi/rdma/ib_user_mad.h
 *     __u32 id;             //  0  the agent
 *     __u32 status;         //  4  in: 0, or ETIMEDOUT when there was no answer
 *     __u32 timeout_ms;     //  8  0: no answer is expected
 *     __u32 retries;        // 12
 *     __u32 length;         // 16  in: of header and MAD
 *     __be32 qpn;           // 20
 *     __be32 qkey;          // 24  not set on what was read
 *     __be16 lid;           // 28
 *     __u8 sl;              // 30
 *     __u8 path_bits;       // 31
 *     __u8 grh_present;     // 32
 *     __u8 gid_index;       // 33
 *     __u8 hop_limit;       // 34
 *     __u8 traffic_class;   // 35
 *     __u8 gid[16];         // 36
 *     __be32 flow_label;    // 52
 *     __u16 pkey_index;     // 56
 *     __u8 reserved[6];     // 58
 * };                        // 64
 * }</pre>
 *
 * @param id the agent
 * @param status 0 or a positive error number
 * @param timeoutMillis the longest time until an answer; 0 without an answer
 * @param retries the number of times that the kernel repeats the MAD
 * @param length the length of header and MAD, after a read
 * @param qpn the peer's queue pair
 * @param qkey its Q_Key
 * @param lid the peer's LID
 * @param sl the service level
 * @param pathBits the low bits of the local LID
 * @param grhPresent true if the fields of the global route are valid
 * @param gidIndex the index of the local GID
 * @param hopLimit the hop limit
 * @param trafficClass the traffic class
 * @param gid the peer's GID
 * @param flowLabel the flow label
 * @param pkeyIndex the index of the partition key
 */
@KernelStruct(value = "struct ib_user_mad_hdr", header = "rdma/ib_user_mad.h")
public record UserMadHeader(
        int id,
        int status,
        int timeoutMillis,
        int retries,
        int length,
        int qpn,
        int qkey,
        int lid,
        int sl,
        int pathBits,
        boolean grhPresent,
        int gidIndex,
        int hopLimit,
        int trafficClass,
        Gid gid,
        int flowLabel,
        int pkeyIndex) {
    public static final class Layout {
        public static final int ID = 0;
        public static final int STATUS = 4;
        public static final int TIMEOUT_MS = 8;
        public static final int RETRIES = 12;
        public static final int LENGTH = 16;
        public static final int QPN = 20;
        public static final int QKEY = 24;
        public static final int LID = 28;
        public static final int SL = 30;
        public static final int PATH_BITS = 31;
        public static final int GRH_PRESENT = 32;
        public static final int GID_INDEX = 33;
        public static final int HOP_LIMIT = 34;
        public static final int TRAFFIC_CLASS = 35;
        public static final int GID = 36;
        public static final int FLOW_LABEL = 52;
        public static final int PKEY_INDEX = 56;
        public static final int RESERVED = 58;
        public static final int BYTES = 64;

        private Layout() {}
    }

    /** The header without the index of the partition key; the other fields are the same. */
    @KernelStruct(value = "struct ib_user_mad_hdr_old", header = "rdma/ib_user_mad.h")
    public static final class Old {
        private Old() {}

        public static final class Layout {
            public static final int FLOW_LABEL = 52;
            public static final int BYTES = 56;

            private Layout() {}
        }
    }

    /** Writes all {@code bytes} bytes, 64 or 56, at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, int bytes) {
        StructFields.zero(out, base, bytes);
        out.putInt(base + Layout.ID, id);
        out.putInt(base + Layout.STATUS, status);
        out.putInt(base + Layout.TIMEOUT_MS, timeoutMillis);
        out.putInt(base + Layout.RETRIES, retries);
        out.putInt(base + Layout.LENGTH, length);
        StructFields.putBe32(out, base + Layout.QPN, qpn);
        StructFields.putBe32(out, base + Layout.QKEY, qkey);
        StructFields.putBe16(out, base + Layout.LID, lid);
        StructFields.putU8(out, base + Layout.SL, sl);
        StructFields.putU8(out, base + Layout.PATH_BITS, pathBits);
        StructFields.putU8(out, base + Layout.GRH_PRESENT, grhPresent ? 1 : 0);
        StructFields.putU8(out, base + Layout.GID_INDEX, gidIndex);
        StructFields.putU8(out, base + Layout.HOP_LIMIT, hopLimit);
        StructFields.putU8(out, base + Layout.TRAFFIC_CLASS, trafficClass);
        GidBytes.encode(gid, out, base + Layout.GID);
        StructFields.putBe32(out, base + Layout.FLOW_LABEL, flowLabel);
        if (bytes == Layout.BYTES) {
            StructFields.putU16(out, base + Layout.PKEY_INDEX, pkeyIndex);
        }
    }

    /** Reads the {@code bytes} bytes, 64 or 56, at {@code base} of a buffer in native order. */
    public static UserMadHeader decode(ByteBuffer in, int base, int bytes) {
        return new UserMadHeader(
                in.getInt(base + Layout.ID),
                in.getInt(base + Layout.STATUS),
                in.getInt(base + Layout.TIMEOUT_MS),
                in.getInt(base + Layout.RETRIES),
                in.getInt(base + Layout.LENGTH),
                StructFields.getBe32(in, base + Layout.QPN),
                StructFields.getBe32(in, base + Layout.QKEY),
                StructFields.getBe16(in, base + Layout.LID),
                StructFields.getU8(in, base + Layout.SL),
                StructFields.getU8(in, base + Layout.PATH_BITS),
                StructFields.getU8(in, base + Layout.GRH_PRESENT) != 0,
                StructFields.getU8(in, base + Layout.GID_INDEX),
                StructFields.getU8(in, base + Layout.HOP_LIMIT),
                StructFields.getU8(in, base + Layout.TRAFFIC_CLASS),
                GidBytes.decode(in, base + Layout.GID),
                StructFields.getBe32(in, base + Layout.FLOW_LABEL),
                bytes == Layout.BYTES ? StructFields.getU16(in, base + Layout.PKEY_INDEX) : 0);
    }
}
