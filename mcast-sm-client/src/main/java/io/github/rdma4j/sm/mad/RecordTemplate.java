// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.internal.uverbs.PathRecordBytes;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A record of which only some fields are given. Setting a field sets its bit of the component mask, so that no field
 * counts by accident and none is forgotten.
 *
 * <p>Not safe for use by several threads; a request takes a copy.
 *
 * @param <R> the record
 */
public abstract class RecordTemplate<R> {
    private final RecordType<R> type;
    private final ByteBuffer record;
    private long mask;

    /** Only the templates of this package, which know the layouts. */
    RecordTemplate(RecordType<R> type) {
        this.type = type;
        this.record = ByteBuffer.allocate(type.bytes());
    }

    /** The component mask: the bit of each field that was set. */
    public final long mask() {
        return mask;
    }

    final RecordType<R> type() {
        return type;
    }

    final byte[] bytes() {
        return record.array().clone();
    }

    final void set8(Component field, int offset, int value) {
        StructFields.putU8(record, offset, value);
        count(field);
    }

    final void set16(Component field, int offset, int value) {
        StructFields.putU16(record, offset, value);
        count(field);
    }

    final void set32(Component field, int offset, int value) {
        record.putInt(offset, value);
        count(field);
    }

    final void set64(Component field, int offset, long value) {
        record.putLong(offset, value);
        count(field);
    }

    final void setGid(Component field, int offset, Gid gid) {
        GidBytes.encode(gid, record, offset);
        count(field);
    }

    /** The bytes at {@code offset}, zeros after the last one. */
    final void setBytes(Component field, int offset, int length, byte[] value) {
        if (value.length > length) {
            throw new IllegalArgumentException(field + " has " + length + " bytes, not " + value.length);
        }
        StructFields.zero(record, offset, length);
        record.put(offset, value);
        count(field);
    }

    /** Both halves of the octet at {@code offset}. */
    final void setSelected(Component selector, Component field, int offset, PathRecord.Selected value) {
        Objects.requireNonNull(value, "value");
        set8(field, offset, PathRecordBytes.octet(value));
        count(selector);
    }

    /** {@code width} bits of the big-endian word at {@code offset}, the lowest of them {@code shift}. */
    final void setBits32(Component field, int offset, int shift, int width, int value) {
        int max = (1 << width) - 1;
        Fields.check(field.toString(), value, max);
        record.putInt(offset, (record.getInt(offset) & ~(max << shift)) | value << shift);
        count(field);
    }

    /** {@code width} bits of the octet at {@code offset}, the lowest of them {@code shift}. */
    final void setBits8(Component field, int offset, int shift, int width, int value) {
        int max = (1 << width) - 1;
        Fields.check(field.toString(), value, max);
        int octet = StructFields.getU8(record, offset);
        StructFields.putU8(record, offset, (octet & ~(max << shift)) | value << shift);
        count(field);
    }

    private void count(Component field) {
        mask |= field.mask();
    }
}
