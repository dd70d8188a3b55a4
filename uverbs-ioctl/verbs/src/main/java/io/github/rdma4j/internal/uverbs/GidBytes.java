// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.GidEntry;
import java.nio.ByteBuffer;

/**
 * A {@link Gid} as 16 bytes, big-endian everywhere.
 */
@KernelStruct(value = "union ibv_gid", header = "infiniband/verbs.h")
public final class GidBytes {
    @CName("global.subnet_prefix")
    public static final int SUBNET_PREFIX = 0; // __be64

    @CName("global.interface_id")
    public static final int INTERFACE_ID = 8; // __be64

    public static final int BYTES = 16;

    private GidBytes() {}

    /** Writes the {@link #BYTES} bytes at {@code base} of a buffer of any byte order. */
    public static void encode(Gid gid, ByteBuffer out, int base) {
        StructFields.putBe64(out, base + SUBNET_PREFIX, gid.prefix());
        StructFields.putBe64(out, base + INTERFACE_ID, gid.interfaceId());
    }

    /** Reads the {@link #BYTES} bytes at {@code base} of a buffer of any byte order. */
    public static Gid decode(ByteBuffer in, int base) {
        return new Gid(StructFields.getBe64(in, base + SUBNET_PREFIX), StructFields.getBe64(in, base + INTERFACE_ID));
    }

    /**
     * A {@link GidEntry} in the kernel's reply to a query of the GID tables.
     */
    @KernelStruct(value = "struct ib_uverbs_gid_entry", header = "rdma/ib_user_ioctl_verbs.h")
    public static final class GidEntryBytes {
        public static final int GID = 0; // __aligned_u64[2]: 16 raw bytes
        public static final int GID_INDEX = 16; // __u32
        public static final int PORT_NUM = 20; // __u32
        public static final int GID_TYPE = 24; // __u32: IB_UVERBS_GID_TYPE_*
        public static final int NETDEV_IFINDEX = 28; // __u32: 0 for none
        public static final int BYTES = 32;

        private GidEntryBytes() {}

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static GidEntry decode(ByteBuffer in, int base) {
            return new GidEntry(
                    GidBytes.decode(in, base + GID),
                    in.getInt(base + GID_INDEX),
                    in.getInt(base + PORT_NUM),
                    in.getInt(base + GID_TYPE),
                    in.getInt(base + NETDEV_IFINDEX));
        }
    }
}
