// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.mad.SaHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord.Selected;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * A request to subnet administration, and the decoder of its answer. Immutable: it can be sent any number of times.
 *
 * @param <T> the content of the answer
 */
public final class SaRequest<T> {
    /** {@code IB_MGMT_CLASS_SUBN_ADM}. */
    public static final int MANAGEMENT_CLASS = 0x03;

    /** The version of {@link #MANAGEMENT_CLASS}. */
    public static final int CLASS_VERSION = 2;

    private final int method;
    private final int attribute;
    private final SaHeader header;
    private final byte[] record;
    private final Answer<T> answer;

    @FunctionalInterface
    private interface Answer<T> {
        T of(ByteBuffer mad) throws MalformedReplyException;
    }

    private SaRequest(int method, int attribute, SaHeader header, byte[] record, Answer<T> answer) {
        this.method = method;
        this.attribute = attribute;
        this.header = header;
        this.record = record;
        this.answer = answer;
    }

    private static <T> SaRequest<T> of(int method, Template<?> template, Answer<T> answer) {
        SaHeader header = new SaHeader(0, 0, template.mask);
        return new SaRequest<>(method, template.type.attribute(), header, template.bytes(), answer);
    }

    /** Requests the only matching record. The status is 0x0400 for several records and 0x0300 for none. */
    public static <R> SaRequest<R> get(Template<R> template) {
        return of(SaMethods.GET, template, template.type::decodeOne);
    }

    /** Requests all matching records; the answer may be empty. */
    public static <R> SaRequest<List<R>> getTable(Template<R> template) {
        return of(SaMethods.GET_TABLE, template, template.type::decodeTable);
    }

    /** Registers the record, or joins the group. The answer is the record that subnet administration then holds. */
    public static <R> SaRequest<R> set(Template<R> template) {
        return of(SaMethods.SET, template, template.type::decodeOne);
    }

    /** Reverts a {@link #set}. */
    public static <R> SaRequest<R> delete(Template<R> template) {
        return of(SaMethods.DELETE, template, template.type::decodeOne);
    }

    /** Requests the capabilities of subnet administration. */
    public static SaRequest<ClassPortInfo> classPortInfo() {
        return new SaRequest<>(
                SaMethods.GET,
                SaAttributes.CLASS_PORT_INFO,
                new SaHeader(0, 0, 0),
                new byte[0],
                ClassPortInfo.TYPE::decodeOne);
    }

    /** Starts or ends the reports of some traps. */
    public static SaRequest<InformInfo> inform(InformInfo what) {
        return new SaRequest<>(
                SaMethods.SET,
                SaAttributes.INFORM_INFO,
                new SaHeader(0, 0, 0),
                what.bytes(),
                InformInfo.TYPE::decodeOne);
    }

    /** The same request with the subnet manager's key. Its answer shows the members of groups. */
    public SaRequest<T> trusted(long key) {
        return new SaRequest<>(method, attribute, new SaHeader(key, 0, mask()), record, answer);
    }

    /** The method of the MAD, such as 0x12 for {@code SubnAdmGetTable}. */
    public int method() {
        return method;
    }

    /** The attribute, such as 0x38 for {@code MCMemberRecord}. */
    public int attribute() {
        return attribute;
    }

    /** The component mask: one bit for each field of the record that counts. */
    public long mask() {
        return header.componentMask();
    }

    /** The MAD to send: 256 bytes, big-endian. */
    public ByteBuffer encode(long transactionId) {
        ByteBuffer mad = ByteBuffer.allocate(MadHeader.MAD_BYTES);
        new MadHeader(MANAGEMENT_CLASS, CLASS_VERSION, method, 0, transactionId, attribute, 0).encode(mad, 0);
        RmppHeader.NONE.encode(mad);
        header.encode(mad);
        mad.put(SaHeader.Layout.END, record);
        return mad;
    }

    /** Reads an answer with status 0: a big-endian buffer from the first byte of the MAD to its limit. */
    public T decode(ByteBuffer mad) throws MalformedReplyException {
        return answer.of(mad);
    }

    /** For example {@code Set MCMemberRecord, mask 0x10003}. */
    @Override
    public String toString() {
        String mask = mask() == 0 ? "" : ", mask 0x" + Long.toHexString(mask());
        return SaMethods.name(method) + ' ' + SaAttributes.name(attribute) + mask;
    }

    /**
     * Some fields of a record, for a request. A setter also sets the bit of its field in the component mask, so that
     * exactly the fields that were set count.
     *
     * <p>Mutable; for one thread. A request copies the template.
     *
     * @param <R> the record
     */
    public abstract static class Template<R> {
        private final RecordType<R> type;
        private final ByteBuffer record;
        private long mask;

        /** Only for this package, which knows the layouts. */
        Template(RecordType<R> type) {
            this.type = type;
            this.record = ByteBuffer.allocate(type.bytes());
        }

        Template(Template<R> other) {
            this(other.type);
            record.put(0, other.bytes());
            mask = other.mask;
        }

        /** The component mask: the bit of each field that was set. */
        public final long mask() {
            return mask;
        }

        final byte[] bytes() {
            return record.array().clone();
        }

        /** The component mask and the whole record; fields that were not set are zero. */
        @Override
        public final String toString() {
            return "mask 0x" + Long.toHexString(mask) + " of " + type.decoder().apply(record);
        }
    }

    /** A template whose setters return it. */
    abstract static class Fields<R, T extends Template<R>> extends Template<R> {
        Fields(RecordType<R> type) {
            super(type);
        }

        Fields(Template<R> other) {
            super(other);
        }

        final T set(Field field, int value) {
            field.put(super.record, value);
            return counted(field);
        }

        final T setLong(Field field, long value) {
            field.putLong(super.record, value);
            return counted(field);
        }

        final T set(Field field, Gid gid) {
            field.put(super.record, gid);
            return counted(field);
        }

        final T set(Field field, Selected value) {
            field.put(super.record, Objects.requireNonNull(value, "value"));
            return counted(field);
        }

        final T set(Field field, byte[] value) {
            field.put(super.record, value);
            return counted(field);
        }

        @SuppressWarnings("unchecked") // T is the class of this template
        private T counted(Field field) {
            super.mask |= field.components();
            return (T) this;
        }
    }
}
