// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * An entry of the GID table of a port ({@code struct ibv_gid_entry}).
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
 *
 * @param gid the GID
 * @param gidIndex index in the table of the port
 * @param portNum the port, from 1
 * @param rawGidType the kernel's number of {@link #gidType()}, {@code IB_UVERBS_GID_TYPE_*}
 * @param netdevIfindex index of the network interface, 0 for none
 */
@KernelStruct(value = "struct ib_uverbs_gid_entry", header = "rdma/ib_user_ioctl_verbs.h")
public record GidEntry(Gid gid, int gidIndex, int portNum, int rawGidType, int netdevIfindex) {
    public static final class Layout {
        public static final int GID = 0;
        public static final int GID_INDEX = 16;
        public static final int PORT_NUM = 20;
        public static final int GID_TYPE = 24;
        public static final int NETDEV_IFINDEX = 28;
        public static final int BYTES = 32;

        private Layout() {}
    }

    /** The kind of packets. */
    public GidType gidType() {
        return GidType.of(rawGidType);
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static GidEntry decode(ByteBuffer in, int base) {
        return new GidEntry(
                Gid.decode(in, base + Layout.GID),
                in.getInt(base + Layout.GID_INDEX),
                in.getInt(base + Layout.PORT_NUM),
                in.getInt(base + Layout.GID_TYPE),
                in.getInt(base + Layout.NETDEV_IFINDEX));
    }
}
