// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.mad.SaHeader;
import io.github.rdma4j.kernel.MalformedReplyException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A kind of record: its attribute and its decoder.
 *
 * @param <R> the record
 * @param attribute {@link SaAttributes}
 * @param bytes the size of the record up to its last field
 * @param decoder reads a record from the start of a big-endian buffer of {@code bytes} bytes
 */
record RecordType<R>(int attribute, int bytes, Function<ByteBuffer, R> decoder) {
    private static final int OFFSET_UNIT = 8;

    /** The record of an answer that holds one record. */
    R decodeOne(ByteBuffer mad) throws MalformedReplyException {
        requireRoom(mad, bytes);
        return decode(mad, SaHeader.Layout.END);
    }

    /** The records of a table, as many as the bytes hold. */
    List<R> decodeTable(ByteBuffer mad) throws MalformedReplyException {
        requireRoom(mad, 0);
        int offset = SaHeader.decode(mad).attributeOffset() * OFFSET_UNIT;
        List<R> records = new ArrayList<>();
        if (offset == 0) {
            return records;
        }
        if (offset < bytes) {
            throw new MalformedReplyException(
                    SaAttributes.name(attribute) + " table", SaHeader.Layout.ATTRIBUTE_OFFSET, mad.limit());
        }
        for (int base = SaHeader.Layout.END; base + offset <= mad.limit(); base += offset) {
            records.add(decode(mad, base));
        }
        return records;
    }

    private R decode(ByteBuffer mad, int base) {
        return decoder.apply(mad.slice(base, bytes));
    }

    private void requireRoom(ByteBuffer mad, int length) throws MalformedReplyException {
        if (mad.limit() - SaHeader.Layout.END < length) {
            throw new MalformedReplyException(SaAttributes.name(attribute), mad.limit(), mad.limit());
        }
    }
}
