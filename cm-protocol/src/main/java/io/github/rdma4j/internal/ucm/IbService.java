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

    /**
     * Queries subnet administration for the ports that offer a service.
     *
     * <pre>{@code
     * struct rdma_ucm_resolve_ib_service {  // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_RESOLVE_IB_SERVICE
     *     __u32 id;                         //  0
     *     __u32 reserved;                   //  4
     *     __aligned_u64 ibs.service_id;     //  8  if the flags select it
     *     __u8 ibs.service_name[64];        // 16  at most 63 bytes, if the flags select it
     *     __u32 ibs.flags;                  // 80  RDMA_USER_CM_IB_SERVICE_FLAG_*
     *     __u32 ibs.reserved;               // 84
     * };                                    // 88
     * }</pre>
     */
    @KernelStruct(value = "struct rdma_ucm_resolve_ib_service", header = "rdma/rdma_user_cm.h", since = "6.18")
    public record ResolveIbServiceCommand(int id, long serviceId, String serviceName, int flags) {
        public static final int ID = 0;
        public static final int RESERVED = 4;

        @CName("ibs.service_id")
        public static final int SERVICE_ID = 8;

        @CName("ibs.service_name")
        public static final int SERVICE_NAME = 16;

        @CName("ibs.flags")
        public static final int FLAGS = 80;

        @CName("ibs.reserved")
        public static final int RESERVED1 = 84;

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
     * <pre>{@code
     * struct rdma_ucm_query_ib_service_resp {  // uapi/rdma/rdma_user_cm.h
     *     __u32 num_service_recs;              // 0  that there are, whether they fit or not
     *     __u32 reserved;                      // 4
     *     struct ib_user_service_rec recs[];   // 8
     * };                                       // 8
     * }</pre>
     *
     * @param total the number of records
     * @param records the records that fit into the reply
     */
    public record QueryIbServiceReply(int total, List<IbServiceRecord> records) {
        private static final int RECORDS = 8;

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

    /**
     * An {@link IbServiceRecord} in the kernel's reply to a query of services.
     *
     * <pre>{@code
     * struct ib_user_service_rec {  // uapi/rdma/ib_user_sa.h
     *     __be64 id;                //   0
     *     __u8 gid[16];             //   8
     *     __be16 pkey;              //  24
     *     __u8 reserved[2];         //  26
     *     __be32 lease;             //  28
     *     __u8 key[16];             //  32
     *     __u8 name[64];            //  48
     *     __u8 data_8[16];          // 112
     *     __be16 data_16[8];        // 128
     *     __be32 data_32[4];        // 144
     *     __be64 data_64[2];        // 160
     * };                            // 176
     * }</pre>
     */
    @KernelStruct(value = "struct ib_user_service_rec", header = "rdma/ib_user_sa.h", since = "6.18")
    public static final class IbServiceRecordBytes {
        public static final int ID = 0;
        public static final int GID = 8;
        public static final int PKEY = 24;
        public static final int LEASE = 28;
        public static final int KEY = 32;
        public static final int NAME = 48;
        public static final int DATA_8 = 112;
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
