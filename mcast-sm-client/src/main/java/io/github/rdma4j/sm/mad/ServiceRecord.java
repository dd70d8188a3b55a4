// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A port that offers a service ({@code ServiceRecord}).
 *
 * @param serviceId the service's number
 * @param gid the port
 * @param pkey the partition key, 16 bits
 * @param leaseSeconds the lease of the record in seconds; {@link #FOR_EVER} for a lease without end
 * @param key the 16 bytes that a change of the record requires
 * @param name the service's name, at most 64 bytes of UTF-8
 * @param data 64 bytes that the service defines: u8[16], u16[8], u32[4], u64[2]
 */
public record ServiceRecord(
        long serviceId, Gid gid, int pkey, int leaseSeconds, ByteBuffer key, String name, ByteBuffer data) {
    static final RecordType<ServiceRecord> TYPE =
            new RecordType<>(SaAttributes.SERVICE_RECORD, 176, ServiceRecord::decode);

    /** A lease without end, 0xffffffff. */
    public static final int FOR_EVER = -1;

    private static final Field SERVICE_ID = Field.bytes("serviceId", 0, 8).component(0);
    private static final Field GID = Field.bytes("gid", 8, 16).component(1);
    private static final Field PKEY = Field.bytes("pkey", 24, 2).component(2);
    private static final Field LEASE = Field.bytes("leaseSeconds", 28, 4).component(4);
    private static final Field KEY = Field.bytes("key", 32, 16).component(5);
    private static final Field NAME = Field.bytes("name", 48, 64).component(6);
    private static final Field DATA = Field.bytes("data", 112, 64);

    /** The first number of the data of each size; each number has its own bit in the component mask. */
    private static final Field DATA_8 = Field.bytes("data8", 112, 1).component(7);

    private static final Field DATA_16 = Field.bytes("data16", 128, 2).component(23);
    private static final Field DATA_32 = Field.bytes("data32", 144, 4).component(31);
    private static final Field DATA_64 = Field.bytes("data64", 160, 8).component(35);

    /** A new read-only view of the 16 bytes. */
    @Override
    public ByteBuffer key() {
        return key.asReadOnlyBuffer();
    }

    /** A new read-only, big-endian view of the 64 bytes. */
    @Override
    public ByteBuffer data() {
        return data.asReadOnlyBuffer();
    }

    private static ServiceRecord decode(ByteBuffer record) {
        return new ServiceRecord(
                SERVICE_ID.getLong(record),
                GID.gid(record),
                PKEY.get(record),
                LEASE.get(record),
                KEY.copy(record),
                NAME.text(record),
                DATA.copy(record));
    }

    /** An empty template. */
    public static Template template() {
        return new Template();
    }

    /** Some fields of a service. */
    public static final class Template extends SaRequest.Fields<ServiceRecord, ServiceRecord.Template> {
        private Template() {
            super(TYPE);
        }

        /** The identifier of the service. */
        public Template serviceId(long serviceId) {
            return setLong(SERVICE_ID, serviceId);
        }

        /** The port that offers the service. */
        public Template gid(Gid gid) {
            return set(GID, gid);
        }

        /** The partition key of the service, 0 to 65535. */
        public Template pkey(int pkey) {
            return set(PKEY, pkey);
        }

        /** The lease in seconds, after which the subnet manager drops the record; {@link #FOR_EVER} for no end. */
        public Template leaseSeconds(int seconds) {
            return set(LEASE, seconds);
        }

        /** At most 16 bytes that a later change of the record requires. */
        public Template key(byte[] key) {
            return set(KEY, key);
        }

        /** At most 64 bytes of UTF-8. */
        public Template name(String name) {
            return set(NAME, name.getBytes(StandardCharsets.UTF_8));
        }

        /** Number {@code index}, 0 to 15, of the 8-bit data. */
        public Template data8(int index, int value) {
            return set(DATA_8.element(index, 16), value);
        }

        /** Number {@code index}, 0 to 7, of the 16-bit data. */
        public Template data16(int index, int value) {
            return set(DATA_16.element(index, 8), value);
        }

        /** Number {@code index}, 0 to 3, of the 32-bit data. */
        public Template data32(int index, int value) {
            return set(DATA_32.element(index, 4), value);
        }

        /** Number {@code index}, 0 or 1, of the 64-bit data. */
        public Template data64(int index, long value) {
            return setLong(DATA_64.element(index, 2), value);
        }
    }
}
