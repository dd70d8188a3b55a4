// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The commands that give an id its addresses and its route. */
public final class AddressCommands {
    private AddressCommands() {}

    /**
     * Binds an id to a local address.
     *
     * <pre>{@code
     * struct rdma_ucm_bind {                      // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_BIND
     *     __u32 id;                               //   0
     *     __u16 addr_size;                        //   4  exactly that of the family
     *     __u16 reserved;                         //   6  must be zero
     *     struct __kernel_sockaddr_storage addr;  //   8  port 0 for an ephemeral port
     * };                                          // 136
     * }</pre>
     */
    @KernelStruct(value = "struct rdma_ucm_bind", header = "rdma/rdma_user_cm.h")
    public record BindCommand(int id, SocketAddress addr) {
        public static final int ID = 0;
        public static final int ADDR_SIZE = 4;
        public static final int RESERVED = 6;
        public static final int ADDR = 8;
        public static final int BYTES = 136;

        public void encode(ByteBuffer out, int base) {
            out.putInt(base + ID, id);
            StructFields.zero(out, base + ADDR, BYTES - ADDR);
            StructFields.putU16(out, base + ADDR_SIZE, SockAddr.encode(out, base + ADDR, addr));
            out.putShort(base + RESERVED, (short) 0);
        }
    }

    /**
     * Resolves a destination to a device and an address on its network.
     *
     * <pre>{@code
     * struct rdma_ucm_resolve_addr {                  // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_RESOLVE_ADDR
     *     __u32 id;                                   //   0
     *     __u32 timeout_ms;                           //   4
     *     __u16 src_size;                             //   8  0 for no source, else exactly that of the family
     *     __u16 dst_size;                             //  10  exactly that of the family
     *     __u32 reserved;                             //  12  must be zero
     *     struct __kernel_sockaddr_storage src_addr;  //  16  ignored if the id is bound
     *     struct __kernel_sockaddr_storage dst_addr;  // 144
     * };                                              // 272
     * }</pre>
     */
    @KernelStruct(value = "struct rdma_ucm_resolve_addr", header = "rdma/rdma_user_cm.h")
    public record ResolveAddrCommand(
            int id, int timeoutMs, @Nullable SocketAddress src, SocketAddress dst) {
        public static final int ID = 0;
        public static final int TIMEOUT_MS = 4;
        public static final int SRC_SIZE = 8;
        public static final int DST_SIZE = 10;
        public static final int RESERVED = 12;
        public static final int SRC_ADDR = 16;
        public static final int DST_ADDR = 144;
        public static final int BYTES = 272;

        public void encode(ByteBuffer out, int base) {
            out.putInt(base + ID, id);
            out.putInt(base + TIMEOUT_MS, timeoutMs);
            out.putInt(base + RESERVED, 0);
            StructFields.zero(out, base + SRC_ADDR, BYTES - SRC_ADDR);
            int srcSize = src == null ? 0 : SockAddr.encode(out, base + SRC_ADDR, src);
            StructFields.putU16(out, base + SRC_SIZE, srcSize);
            StructFields.putU16(out, base + DST_SIZE, SockAddr.encode(out, base + DST_ADDR, dst));
        }
    }

    /**
     * Resolves the route to the destination.
     *
     * <pre>{@code
     * struct rdma_ucm_resolve_route {  // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_RESOLVE_ROUTE
     *     __u32 id;                    // 0
     *     __u32 timeout_ms;            // 4  not 0
     * };                               // 8
     * }</pre>
     */
    @KernelStruct(value = "struct rdma_ucm_resolve_route", header = "rdma/rdma_user_cm.h")
    public record ResolveRouteCommand(int id, int timeoutMs) {
        public static final int ID = 0;
        public static final int TIMEOUT_MS = 4;
        public static final int BYTES = 8;

        public void encode(ByteBuffer out, int base) {
            out.putInt(base + ID, id);
            out.putInt(base + TIMEOUT_MS, timeoutMs);
        }
    }
}
