// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.sm.mad.ServiceRecord.DataField;
import io.github.rdma4j.sm.mad.ServiceRecord.Field;
import io.github.rdma4j.sm.mad.ServiceRecord.Layout;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The fields of a service that are given. */
public final class ServiceTemplate extends RecordTemplate<ServiceRecord> {
    private static final int COUNT_8 = 16;
    private static final int COUNT_16 = 8;
    private static final int COUNT_32 = 4;
    private static final int COUNT_64 = 2;

    ServiceTemplate() {
        super(ServiceRecord.TYPE);
    }

    public ServiceTemplate serviceId(long serviceId) {
        set64(Field.SERVICE_ID, Layout.SERVICE_ID, serviceId);
        return this;
    }

    /** The port that offers the service. */
    public ServiceTemplate gid(Gid gid) {
        setGid(Field.GID, Layout.GID, gid);
        return this;
    }

    public ServiceTemplate pkey(int pkey) {
        set16(Field.PKEY, Layout.PKEY, pkey);
        return this;
    }

    /** Seconds until the subnet manager forgets the service; {@link ServiceRecord#FOR_EVER} for never. */
    public ServiceTemplate leaseSeconds(int seconds) {
        set32(Field.LEASE, Layout.LEASE, seconds);
        return this;
    }

    /** Up to 16 bytes that who changes the record later has to know. */
    public ServiceTemplate key(byte[] key) {
        setBytes(Field.KEY, Layout.KEY, ServiceRecord.KEY_BYTES, key);
        return this;
    }

    /** Up to 64 bytes of UTF-8. */
    public ServiceTemplate name(String name) {
        setBytes(Field.NAME, Layout.NAME, ServiceRecord.NAME_BYTES, name.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** Number {@code index}, 0 to 15, of the data of 8 bits. */
    public ServiceTemplate data8(int index, int value) {
        set8(field(DataField.FIRST_8, index, COUNT_8), Layout.DATA + index, value);
        return this;
    }

    /** Number {@code index}, 0 to 7, of the data of 16 bits. */
    public ServiceTemplate data16(int index, int value) {
        set16(field(DataField.FIRST_16, index, COUNT_16), Layout.DATA_16 + index * Short.BYTES, value);
        return this;
    }

    /** Number {@code index}, 0 to 3, of the data of 32 bits. */
    public ServiceTemplate data32(int index, int value) {
        set32(field(DataField.FIRST_32, index, COUNT_32), Layout.DATA_32 + index * Integer.BYTES, value);
        return this;
    }

    /** Number {@code index}, 0 or 1, of the data of 64 bits. */
    public ServiceTemplate data64(int index, long value) {
        set64(field(DataField.FIRST_64, index, COUNT_64), Layout.DATA_64 + index * Long.BYTES, value);
        return this;
    }

    private static DataField field(int first, int index, int count) {
        return new DataField(first + Objects.checkIndex(index, count));
    }
}
