// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.cm.IbServiceRecord;
import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.GidBytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** The commands and replies for services of InfiniBand, from Linux 6.18. */
public final class IbService {
    /** The maximum length of a name in bytes, without the terminating zero. */
    public static final int MAX_NAME = 63;

    private IbService() {}

    /** Queries subnet administration for the ports that offer a service. */
    @KernelStruct(value = "struct rdma_ucm_resolve_ib_service", header = "rdma/rdma_user_cm.h", since = "6.18")
    public record ResolveIbServiceCommand(int id, long serviceId, String serviceName, int flags) {
        public static final int ID = 0; // __u32
        public static final int RESERVED = 4; // __u32

        @CName("ibs.service_id")
        public static final int SERVICE_ID = 8; // __aligned_u64, if the flags select it

        @CName("ibs.service_name")
        public static final int SERVICE_NAME = 16; // __u8[64]: at most 63 bytes, if the flags select it

        @CName("ibs.flags")
        public static final int FLAGS = 80; // __u32: RDMA_USER_CM_IB_SERVICE_FLAG_*

        @CName("ibs.reserved")
        public static final int RESERVED1 = 84; // __u32

        public static final int BYTES = 88;

        /** Throws {@link IllegalArgumentException} for a name that is too long. */
        public ResolveIbServiceCommand {
            if (bytes(serviceName).length > MAX_NAME) {
                throw new IllegalArgumentException(
                        "a service name of more than " + MAX_NAME + " bytes: " + serviceName);
            }
        }

        private static byte[] bytes(String name) {
            return name.getBytes(StandardCharsets.UTF_8);
        }

        public void encode(ByteBuffer out, int base) {
            StructFields.zero(out, base, BYTES);
            out.putInt(base + ID, id);
            out.putLong(base + SERVICE_ID, serviceId);
            out.put(base + SERVICE_NAME, bytes(serviceName));
            out.putInt(base + FLAGS, flags);
        }
    }

    /**
     * The services that an id has resolved: the reply to {@code RDMA_USER_CM_QUERY_IB_SERVICE}.
     *
     * @param total the number of records that there are, whether they fit or not
     * @param records the records that fit into the reply
     */
    public record QueryIbServiceReply(int total, List<IbServiceRecord> records) {
        private static final int RECORDS = 8; // struct ib_user_service_rec[], after __u32 num_service_recs, reserved

        /** Copies the list. */
        public QueryIbServiceReply {
            records = List.copyOf(records);
        }

        /** The size of a reply buffer for {@code records} records. */
        public static int bytes(int records) {
            return RECORDS + records * IbServiceRecordBytes.BYTES;
        }

        /**
         * Reads the reply at {@code base} of a buffer in native order.
         *
         * @param length the size of the reply buffer in the command
         */
        public static QueryIbServiceReply decode(ByteBuffer in, int base, int length) {
            int total = in.getInt(base);
            if (total < 0 || length < RECORDS) {
                throw new IllegalArgumentException(total + " services at offset " + base + " in " + length + " bytes");
            }
            int room = (length - RECORDS) / IbServiceRecordBytes.BYTES;
            return new QueryIbServiceReply(
                    total,
                    IntStream.range(0, Math.min(total, room))
                            .mapToObj(i ->
                                    IbServiceRecordBytes.decode(in, base + RECORDS + i * IbServiceRecordBytes.BYTES))
                            .toList());
        }
    }

    /** An {@link IbServiceRecord} in the kernel's reply to a query of services. */
    @KernelStruct(value = "struct ib_user_service_rec", header = "rdma/ib_user_sa.h", since = "6.18")
    public static final class IbServiceRecordBytes {
        public static final int ID = 0; // __be64
        public static final int GID = 8; // __u8[16]
        public static final int PKEY = 24; // __be16
        public static final int LEASE = 28; // __be32
        public static final int KEY = 32; // __u8[16]
        public static final int NAME = 48; // __u8[64]
        public static final int DATA_8 = 112; // __u8[16]; then __be16[8], __be32[4] and __be64[2]
        public static final int BYTES = 176;

        private IbServiceRecordBytes() {}

        public static IbServiceRecord decode(ByteBuffer in, int base) {
            byte[] name = new byte[DATA_8 - NAME];
            in.get(base + NAME, name);
            int length = 0;
            while (length < name.length && name[length] != 0) {
                length++;
            }
            return new IbServiceRecord(
                    StructFields.getBe64(in, base + ID),
                    GidBytes.decode(in, base + GID),
                    StructFields.getBe16(in, base + PKEY),
                    StructFields.getBe32(in, base + LEASE),
                    new String(name, 0, length, StandardCharsets.UTF_8));
        }
    }
}
