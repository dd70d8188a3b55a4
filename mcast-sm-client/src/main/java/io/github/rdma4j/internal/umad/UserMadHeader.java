// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.umad;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.umad.MadAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The header in front of a MAD, in writes and reads. Without the index of the partition key and the reserved bytes it
 * is {@code struct ib_user_mad_hdr_old}, the default header of a file.
 *
 * @param id the agent
 * @param status 0 or a positive error number
 * @param timeoutMillis the longest time until an answer; 0 without an answer
 * @param retries the number of times that the kernel repeats the MAD
 * @param length the length of header and MAD, after a read
 * @param peer the destination or the source. The kernel does not deliver the Q_Key; answers use that of the general
 *     services
 */
@KernelStruct(value = "struct ib_user_mad_hdr", header = "rdma/ib_user_mad.h")
public record UserMadHeader(int id, int status, int timeoutMillis, int retries, int length, MadAddress peer) {
    public static final int ID = 0; // __u32: the agent
    public static final int STATUS = 4; // __u32: in: 0, or ETIMEDOUT when there was no answer
    public static final int TIMEOUT_MS = 8; // __u32: 0: no answer is expected
    public static final int RETRIES = 12; // __u32
    public static final int LENGTH = 16; // __u32: in: of header and MAD
    public static final int QPN = 20; // __be32
    public static final int QKEY = 24; // __be32: not set on what was read
    public static final int LID = 28; // __be16
    public static final int SL = 30; // __u8
    public static final int PATH_BITS = 31; // __u8
    public static final int GRH_PRESENT = 32; // __u8
    public static final int GID_INDEX = 33; // __u8
    public static final int HOP_LIMIT = 34; // __u8
    public static final int TRAFFIC_CLASS = 35; // __u8
    public static final int GID = 36; // __u8[16]
    public static final int FLOW_LABEL = 52; // __be32
    public static final int PKEY_INDEX = 56; // __u16
    public static final int RESERVED = 58; // __u8[6]
    public static final int BYTES = 64;

    /** The header without the index of the partition key; the other fields are the same. */
    @KernelStruct(value = "struct ib_user_mad_hdr_old", header = "rdma/ib_user_mad.h")
    public static final class Old {
        private Old() {}

        public static final int FLOW_LABEL = 52;
        public static final int BYTES = 56;
    }

    /** Writes all {@code bytes} bytes, 64 or 56, at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, int bytes) {
        StructFields.zero(out, base, bytes);
        out.putInt(base + ID, id);
        out.putInt(base + STATUS, status);
        out.putInt(base + TIMEOUT_MS, timeoutMillis);
        out.putInt(base + RETRIES, retries);
        out.putInt(base + LENGTH, length);
        StructFields.putBe32(out, base + QPN, peer.qpn());
        StructFields.putBe32(out, base + QKEY, peer.qkey());
        StructFields.putBe16(out, base + LID, peer.lid());
        StructFields.putU8(out, base + SL, peer.sl());
        peer.grh().ifPresent(grh -> encode(grh, out, base));
        if (bytes == BYTES) {
            StructFields.putU16(out, base + PKEY_INDEX, peer.pkeyIndex());
        }
    }

    private static void encode(MadAddress.Grh grh, ByteBuffer out, int base) {
        StructFields.putU8(out, base + GRH_PRESENT, 1);
        StructFields.putU8(out, base + GID_INDEX, grh.gidIndex());
        StructFields.putU8(out, base + HOP_LIMIT, grh.hopLimit());
        StructFields.putU8(out, base + TRAFFIC_CLASS, grh.trafficClass());
        GidBytes.encode(grh.gid(), out, base + GID);
        StructFields.putBe32(out, base + FLOW_LABEL, grh.flowLabel());
    }

    /** Reads the {@code bytes} bytes, 64 or 56, at {@code base} of a buffer in native order. */
    public static UserMadHeader decode(ByteBuffer in, int base, int bytes) {
        Optional<MadAddress.Grh> grh = StructFields.getU8(in, base + GRH_PRESENT) == 0
                ? Optional.empty()
                : Optional.of(new MadAddress.Grh(
                        GidBytes.decode(in, base + GID),
                        StructFields.getU8(in, base + GID_INDEX),
                        StructFields.getU8(in, base + HOP_LIMIT),
                        StructFields.getU8(in, base + TRAFFIC_CLASS),
                        StructFields.getBe32(in, base + FLOW_LABEL)));
        MadAddress peer = new MadAddress(
                StructFields.getBe16(in, base + LID),
                StructFields.getU8(in, base + SL) & 0xf,
                StructFields.getBe32(in, base + QPN) & 0xff_ffff,
                MadAddress.GSI_QKEY,
                bytes == BYTES ? StructFields.getU16(in, base + PKEY_INDEX) : 0,
                grh);
        return new UserMadHeader(
                in.getInt(base + ID),
                in.getInt(base + STATUS),
                in.getInt(base + TIMEOUT_MS),
                in.getInt(base + RETRIES),
                in.getInt(base + LENGTH),
                peer);
    }
}
