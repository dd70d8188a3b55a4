// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.cm.IbServiceRecord;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.GidBytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * An {@link IbServiceRecord} in the kernel's answer to a query of services.
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
public final class IbServiceRecordBytes {
    public static final class Layout {
        public static final int ID = 0;
        public static final int GID = 8;
        public static final int PKEY = 24;
        public static final int LEASE = 28;
        public static final int KEY = 32;
        public static final int NAME = 48;
        public static final int DATA_8 = 112;
        public static final int BYTES = 176;

        private Layout() {}
    }

    private IbServiceRecordBytes() {}

    /** Reads the record at {@code base} of a buffer in native order. */
    public static IbServiceRecord decode(ByteBuffer in, int base) {
        byte[] name = new byte[Layout.DATA_8 - Layout.NAME];
        in.get(base + Layout.NAME, name);
        int length = 0;
        while (length < name.length && name[length] != 0) {
            length++;
        }
        return new IbServiceRecord(
                StructFields.getBe64(in, base + Layout.ID),
                GidBytes.decode(in, base + Layout.GID),
                StructFields.getBe16(in, base + Layout.PKEY),
                StructFields.getBe32(in, base + Layout.LEASE),
                new String(name, 0, length, StandardCharsets.UTF_8));
    }
}
