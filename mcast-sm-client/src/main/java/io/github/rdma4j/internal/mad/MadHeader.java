// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mad;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.kernel.MalformedReplyException;
import java.nio.ByteBuffer;

/** The first 24 bytes of every MAD. */
public record MadHeader(
        int managementClass,
        int classVersion,
        int method,
        int status,
        long transactionId,
        int attributeId,
        int attributeModifier) {
    /** The size of a MAD without reassembly. */
    public static final int MAD_BYTES = 256;

    public static final int BASE_VERSION = 1;

    /** The offsets of the fields. */
    public static final class Layout {
        public static final int BASE_VERSION = 0; // u8
        public static final int MANAGEMENT_CLASS = 1; // u8: 3 for subnet administration
        public static final int CLASS_VERSION = 2; // u8: 2 for subnet administration
        public static final int METHOD = 3; // u8: with the bit SaMethods.RESPONSE in an answer
        public static final int STATUS = 4; // u16: 0 in a request
        public static final int CLASS_SPECIFIC = 6; // u16
        public static final int TRANSACTION_ID = 8; // u64: chosen by the requester, repeated in the answer
        public static final int ATTRIBUTE_ID = 16; // u16
        public static final int RESERVED = 18; // u16
        public static final int ATTRIBUTE_MODIFIER = 20; // u32: depends on the attribute; usually 0
        public static final int BYTES = 24;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be big-endian. */
    public void encode(ByteBuffer out, int base) {
        StructFields.putU8(out, base + Layout.BASE_VERSION, BASE_VERSION);
        StructFields.putU8(out, base + Layout.MANAGEMENT_CLASS, managementClass);
        StructFields.putU8(out, base + Layout.CLASS_VERSION, classVersion);
        StructFields.putU8(out, base + Layout.METHOD, method);
        StructFields.putU16(out, base + Layout.STATUS, status);
        StructFields.putU16(out, base + Layout.CLASS_SPECIFIC, 0);
        out.putLong(base + Layout.TRANSACTION_ID, transactionId);
        StructFields.putU16(out, base + Layout.ATTRIBUTE_ID, attributeId);
        StructFields.putU16(out, base + Layout.RESERVED, 0);
        out.putInt(base + Layout.ATTRIBUTE_MODIFIER, attributeModifier);
    }

    /** Reads the header at the start of a big-endian buffer. */
    public static MadHeader decode(ByteBuffer in) throws MalformedReplyException {
        if (in.limit() < Layout.BYTES) {
            throw new MalformedReplyException("MAD", in.limit(), in.limit());
        }
        if (StructFields.getU8(in, Layout.BASE_VERSION) != BASE_VERSION) {
            throw new MalformedReplyException("MAD", Layout.BASE_VERSION, in.limit());
        }
        return new MadHeader(
                StructFields.getU8(in, Layout.MANAGEMENT_CLASS),
                StructFields.getU8(in, Layout.CLASS_VERSION),
                StructFields.getU8(in, Layout.METHOD),
                StructFields.getU16(in, Layout.STATUS),
                in.getLong(Layout.TRANSACTION_ID),
                StructFields.getU16(in, Layout.ATTRIBUTE_ID),
                in.getInt(Layout.ATTRIBUTE_MODIFIER));
    }

    /** The lower half of the transaction id, which the sender chooses; the kernel chooses the upper half. */
    public int ownTransactionId() {
        return (int) transactionId;
    }
}
