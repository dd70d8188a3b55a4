// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.mad.SaHeader;
import io.github.rdma4j.kernel.MalformedReplyException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A kind of record: how it is asked for and how its bytes are read.
 *
 * @param <R> the record
 * @param attribute {@link SaAttributes}
 * @param bytes how many bytes of it have fields
 * @param decoder reads a record; there are {@code bytes} bytes
 */
public record RecordType<R>(int attribute, int bytes, Decoder<R> decoder) {
    private static final int OFFSET_UNIT = 8;

    /** Reads the record at {@code base} of a big-endian buffer that holds all its bytes. */
    @FunctionalInterface
    public interface Decoder<R> {
        R decode(ByteBuffer in, int base);
    }

    /** The record of an answer that holds one. */
    public R decodeOne(ByteBuffer mad) throws MalformedReplyException {
        requireRoom(mad, SaHeader.Layout.END, bytes);
        return decoder.decode(mad, SaHeader.Layout.END);
    }

    /** The records of a table, as many as there are bytes for. */
    public List<R> decodeTable(ByteBuffer mad) throws MalformedReplyException {
        requireRoom(mad, SaHeader.Layout.END, 0);
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
            records.add(decoder.decode(mad, base));
        }
        return records;
    }

    private void requireRoom(ByteBuffer mad, int base, int length) throws MalformedReplyException {
        if (mad.limit() - base < length) {
            throw new MalformedReplyException(SaAttributes.name(attribute), mad.limit(), mad.limit());
        }
    }
}
