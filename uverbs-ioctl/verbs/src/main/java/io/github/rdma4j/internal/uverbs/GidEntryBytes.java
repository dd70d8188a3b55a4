// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.verbs.attr.GidEntry;
import java.nio.ByteBuffer;

/**
 * A {@link GidEntry} in the kernel's answer to a query of the GID tables.
 *
 * <pre>{@code
 * struct ib_uverbs_gid_entry {  // uapi/rdma/ib_user_ioctl_verbs.h
 *     __aligned_u64 gid[2];     //  0  16 raw bytes
 *     __u32 gid_index;          // 16
 *     __u32 port_num;           // 20
 *     __u32 gid_type;           // 24  IB_UVERBS_GID_TYPE_*
 *     __u32 netdev_ifindex;     // 28  0 for none
 * };                            // 32
 * }</pre>
 */
@KernelStruct(value = "struct ib_uverbs_gid_entry", header = "rdma/ib_user_ioctl_verbs.h")
public final class GidEntryBytes {
    public static final class Layout {
        public static final int GID = 0;
        public static final int GID_INDEX = 16;
        public static final int PORT_NUM = 20;
        public static final int GID_TYPE = 24;
        public static final int NETDEV_IFINDEX = 28;
        public static final int BYTES = 32;

        private Layout() {}
    }

    private GidEntryBytes() {}

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static GidEntry decode(ByteBuffer in, int base) {
        return new GidEntry(
                GidBytes.decode(in, base + Layout.GID),
                in.getInt(base + Layout.GID_INDEX),
                in.getInt(base + Layout.PORT_NUM),
                in.getInt(base + Layout.GID_TYPE),
                in.getInt(base + Layout.NETDEV_IFINDEX));
    }
}
