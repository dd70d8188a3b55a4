// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.mad.SaHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.kernel.MalformedReplyException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A question to subnet administration, and how its answer is read. Immutable: it can be asked any number of times.
 *
 * @param <T> what the answer says
 */
public final class SaRequest<T> {
    /** {@code IB_MGMT_CLASS_SUBN_ADM}, and its version. */
    public static final int MANAGEMENT_CLASS = 0x03;

    public static final int CLASS_VERSION = 2;

    private final int method;
    private final int attribute;
    private final long smKey;
    private final long mask;
    private final byte[] record;
    private final Answer<T> answer;

    @FunctionalInterface
    private interface Answer<T> {
        T of(ByteBuffer mad) throws MalformedReplyException;
    }

    private SaRequest(int method, int attribute, long smKey, long mask, byte[] record, Answer<T> answer) {
        this.method = method;
        this.attribute = attribute;
        this.smKey = smKey;
        this.mask = mask;
        this.record = record;
        this.answer = answer;
    }

    /** The one record that matches; when there are more the answer is status 0x0400, when there is none 0x0300. */
    public static <R> SaRequest<R> get(RecordTemplate<R> template) {
        return one(SaMethods.GET, template);
    }

    /** All records that match, be it none. */
    public static <R> SaRequest<List<R>> getTable(RecordTemplate<R> template) {
        RecordType<R> type = template.type();
        return new SaRequest<>(
                SaMethods.GET_TABLE, type.attribute(), 0, template.mask(), template.bytes(), type::decodeTable);
    }

    /** Registers the record, or joins: the answer is what subnet administration made of it. */
    public static <R> SaRequest<R> set(RecordTemplate<R> template) {
        return one(SaMethods.SET, template);
    }

    /** Takes back what {@link #set} did. */
    public static <R> SaRequest<R> delete(RecordTemplate<R> template) {
        return one(SaMethods.DELETE, template);
    }

    private static <R> SaRequest<R> one(int method, RecordTemplate<R> template) {
        RecordType<R> type = template.type();
        return new SaRequest<>(method, type.attribute(), 0, template.mask(), template.bytes(), type::decodeOne);
    }

    /** What subnet administration can do. */
    public static SaRequest<ClassPortInfo> classPortInfo() {
        return new SaRequest<>(
                SaMethods.GET, SaAttributes.CLASS_PORT_INFO, 0, 0, new byte[0], ClassPortInfo.TYPE::decodeOne);
    }

    /** Starts or ends the reports of some traps. */
    public static SaRequest<InformInfo> inform(InformInfo what) {
        return new SaRequest<>(SaMethods.SET, SaAttributes.INFORM_INFO, 0, 0, what.bytes(), InformInfo.TYPE::decodeOne);
    }

    /** The same request with the subnet manager's key: the answer shows who the members of groups are. */
    public SaRequest<T> trusted(long key) {
        return new SaRequest<>(method, attribute, key, mask, record, answer);
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
        return mask;
    }

    /** The MAD to send: 256 bytes, big-endian. */
    public ByteBuffer encode(long transactionId) {
        ByteBuffer mad = ByteBuffer.allocate(MadHeader.MAD_BYTES);
        new MadHeader(MANAGEMENT_CLASS, CLASS_VERSION, method, 0, transactionId, attribute, 0).encode(mad, 0);
        RmppHeader.NONE.encode(mad);
        new SaHeader(smKey, 0, mask).encode(mad);
        mad.put(SaHeader.Layout.END, record);
        return mad;
    }

    /** Reads an answer whose status is 0: a big-endian buffer from the MAD's first byte to its limit. */
    public T decode(ByteBuffer mad) throws MalformedReplyException {
        return answer.of(mad);
    }

    /** For example {@code Set MCMemberRecord, mask 0x10003}. */
    @Override
    public String toString() {
        return SaMethods.name(method)
                + ' '
                + SaAttributes.name(attribute)
                + (mask == 0 ? "" : ", mask 0x" + Long.toHexString(mask));
    }
}
