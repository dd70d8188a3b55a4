// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;

/**
 * A port that offers a service ({@code ServiceRecord}).
 *
 * <pre>{@code
 * ServiceID u64          //   0
 * ServiceGID 16 bytes    //   8
 * ServiceP_Key u16       //  24
 * reserved u16           //  26
 * ServiceLease u32       //  28  seconds
 * ServiceKey 16 bytes    //  32
 * ServiceName 64 bytes   //  48
 * ServiceData 64 bytes   // 112  u8[16], u16[8], u32[4], u64[2]
 * }</pre>
 *
 * @param serviceId the service's number
 * @param gid the port
 * @param pkey the partition key
 * @param leaseSeconds how long the record is good for; 0xffffffff, here -1, for ever
 * @param key who holds it may change the record: 16 bytes
 * @param name the service's name, up to 64 bytes of UTF-8
 * @param data 64 bytes of the service's own
 */
public record ServiceRecord(
        long serviceId, Gid gid, int pkey, int leaseSeconds, ByteBuffer key, String name, ByteBuffer data) {
    public static final RecordType<ServiceRecord> TYPE =
            new RecordType<>(SaAttributes.SERVICE_RECORD, Layout.BYTES, ServiceRecord::decode);

    /** A lease that never ends. */
    public static final int FOR_EVER = -1;

    static final int KEY_BYTES = Layout.NAME - Layout.KEY;
    static final int NAME_BYTES = Layout.DATA - Layout.NAME;

    /** Where the fields are. */
    public static final class Layout {
        public static final int SERVICE_ID = 0;
        public static final int GID = 8;
        public static final int PKEY = 24;
        public static final int LEASE = 28;
        public static final int KEY = 32;
        public static final int NAME = 48;
        public static final int DATA = 112;
        public static final int DATA_16 = 128;
        public static final int DATA_32 = 144;
        public static final int DATA_64 = 160;
        public static final int BYTES = 176;

        private Layout() {}
    }

    /** The fields with their bits, but for the data, whose every number has one of its own. */
    public enum Field implements Component {
        SERVICE_ID(0),
        GID(1),
        PKEY(2),
        LEASE(4),
        KEY(5),
        NAME(6);

        private final int bit;

        Field(int bit) {
            this.bit = bit;
        }

        @Override
        public int bit() {
            return bit;
        }
    }

    /** One number of the data: 16 of 8 bits, 8 of 16, 4 of 32, 2 of 64. */
    record DataField(int bit) implements Component {
        static final int FIRST_8 = 7;
        static final int FIRST_16 = 23;
        static final int FIRST_32 = 31;
        static final int FIRST_64 = 35;
    }

    /** A view of its own of the 16 bytes, read-only. */
    @Override
    public ByteBuffer key() {
        return key.asReadOnlyBuffer();
    }

    /** A view of its own of the 64 bytes, read-only and big-endian. */
    @Override
    public ByteBuffer data() {
        return data.asReadOnlyBuffer();
    }

    static ServiceRecord decode(ByteBuffer in, int base) {
        return new ServiceRecord(
                in.getLong(base + Layout.SERVICE_ID),
                GidBytes.decode(in, base + Layout.GID),
                StructFields.getU16(in, base + Layout.PKEY),
                in.getInt(base + Layout.LEASE),
                Fields.copy(in, base + Layout.KEY, KEY_BYTES),
                Fields.text(in, base + Layout.NAME, NAME_BYTES),
                Fields.copy(in, base + Layout.DATA, Layout.BYTES - Layout.DATA));
    }

    /** An empty template. */
    public static ServiceTemplate template() {
        return new ServiceTemplate();
    }
}
