// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mad;

import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;

/** The header of subnet administration: bytes 36 to 55 of the MAD. */
public record SaHeader(long smKey, int attributeOffset, long componentMask) {
    /** The offsets of the fields, from the start of the MAD. */
    public static final class Layout {
        public static final int SA_START = 36;
        public static final int SM_KEY = 36; // u64: the key of a trusted request, otherwise 0
        public static final int ATTRIBUTE_OFFSET = 44; // u16: distance of the records in units of 8 bytes; 0 if none
        public static final int RESERVED = 46; // u16
        public static final int COMPONENT_MASK = 48; // u64: one bit for each field of the record that counts
        public static final int END = 56;

        private Layout() {}
    }

    /** Writes the header of the MAD that starts at 0; {@code out} must be big-endian. */
    public void encode(ByteBuffer out) {
        out.putLong(Layout.SM_KEY, smKey);
        StructFields.putU16(out, Layout.ATTRIBUTE_OFFSET, attributeOffset);
        StructFields.putU16(out, Layout.RESERVED, 0);
        out.putLong(Layout.COMPONENT_MASK, componentMask);
    }

    /** Reads the header of the MAD that starts at 0 of a big-endian buffer of at least {@link Layout#END} bytes. */
    public static SaHeader decode(ByteBuffer in) {
        return new SaHeader(
                in.getLong(Layout.SM_KEY),
                StructFields.getU16(in, Layout.ATTRIBUTE_OFFSET),
                in.getLong(Layout.COMPONENT_MASK));
    }
}
