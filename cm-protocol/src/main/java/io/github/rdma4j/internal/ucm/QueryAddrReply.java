// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What an id is bound to: the reply to {@code RDMA_USER_CM_QUERY_ADDR}.
 *
 * <p>Kernels before 5.8 do not write {@code ibdev_index}, so the buffer has to hold {@link #NO_INDEX} there before
 * the command: see {@link #prefill}.
 *
 * <pre>{@code
 * struct rdma_ucm_query_addr_resp {               // uapi/rdma/rdma_user_cm.h
 *     __be64 node_guid;                           //   0  declared __aligned_u64; 0 when the id has no device
 *     __u8 port_num;                              //   8
 *     __u8 reserved;                              //   9
 *     __be16 pkey;                                //  10  declared __u16
 *     __u16 src_size;                             //  12  0 for no address
 *     __u16 dst_size;                             //  14  0 for no address
 *     struct __kernel_sockaddr_storage src_addr;  //  16
 *     struct __kernel_sockaddr_storage dst_addr;  // 144
 *     __u32 ibdev_index;                          // 272  kernels before 5.8 leave it as it is
 *     __u32 reserved1;                            // 276
 * };                                              // 280
 * }</pre>
 *
 * @param nodeGuid numeric value of the big-endian GUID of the device, 0 when the id has none
 * @param portNum the port, from 1; 0 when the id has no device
 * @param pkey the partition key
 * @param src the local address, null when not bound
 * @param dst the destination, null when none was resolved
 * @param ibdevIndex index of the device in RDMA netlink, or {@link #NO_INDEX}
 */
@KernelStruct(value = "struct rdma_ucm_query_addr_resp", header = "rdma/rdma_user_cm.h")
public record QueryAddrReply(
        long nodeGuid,
        int portNum,
        int pkey,
        @Nullable SocketAddress src,
        @Nullable SocketAddress dst,
        int ibdevIndex) {
    /** The {@code ibdevIndex} of no device, or of a kernel that does not tell. */
    public static final int NO_INDEX = 0xffff_ffff;

    public static final class Layout {
        public static final int NODE_GUID = 0;
        public static final int PORT_NUM = 8;
        public static final int RESERVED = 9;
        public static final int PKEY = 10;
        public static final int SRC_SIZE = 12;
        public static final int DST_SIZE = 14;
        public static final int SRC_ADDR = 16;
        public static final int DST_ADDR = 144;
        public static final int IBDEV_INDEX = 272;
        public static final int RESERVED1 = 276;
        public static final int BYTES = 280;

        private Layout() {}
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static QueryAddrReply decode(ByteBuffer in, int base) {
        return new QueryAddrReply(
                StructFields.getBe64(in, base + Layout.NODE_GUID),
                StructFields.getU8(in, base + Layout.PORT_NUM),
                StructFields.getBe16(in, base + Layout.PKEY),
                SockAddr.decode(in, base + Layout.SRC_ADDR, StructFields.getU16(in, base + Layout.SRC_SIZE)),
                SockAddr.decode(in, base + Layout.DST_ADDR, StructFields.getU16(in, base + Layout.DST_SIZE)),
                in.getInt(base + Layout.IBDEV_INDEX));
    }

    /** Readies the {@link Layout#BYTES} bytes at {@code base} for a kernel that does not write all of them. */
    public static void prefill(ByteBuffer out, int base) {
        StructFields.zero(out, base, Layout.BYTES);
        out.putInt(base + Layout.IBDEV_INDEX, NO_INDEX);
    }
}
