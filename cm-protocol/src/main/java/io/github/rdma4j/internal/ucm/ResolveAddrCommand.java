// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

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
 *     struct __kernel_sockaddr_storage src_addr;  //  16
 *     struct __kernel_sockaddr_storage dst_addr;  // 144
 * };                                              // 272
 * }</pre>
 *
 * @param id the id
 * @param timeoutMs milliseconds
 * @param src the local address, null to have it chosen; not looked at once the id is bound
 * @param dst the destination
 */
@KernelStruct(value = "struct rdma_ucm_resolve_addr", header = "rdma/rdma_user_cm.h")
public record ResolveAddrCommand(
        int id, int timeoutMs, @Nullable SocketAddress src, SocketAddress dst) {
    public static final class Layout {
        public static final int ID = 0;
        public static final int TIMEOUT_MS = 4;
        public static final int SRC_SIZE = 8;
        public static final int DST_SIZE = 10;
        public static final int RESERVED = 12;
        public static final int SRC_ADDR = 16;
        public static final int DST_ADDR = 144;
        public static final int BYTES = 272;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        out.putInt(base + Layout.ID, id);
        out.putInt(base + Layout.TIMEOUT_MS, timeoutMs);
        out.putInt(base + Layout.RESERVED, 0);
        StructFields.zero(out, base + Layout.SRC_ADDR, Layout.BYTES - Layout.SRC_ADDR);
        int srcSize = src == null ? 0 : SockAddr.encode(out, base + Layout.SRC_ADDR, src);
        StructFields.putU16(out, base + Layout.SRC_SIZE, srcSize);
        StructFields.putU16(out, base + Layout.DST_SIZE, SockAddr.encode(out, base + Layout.DST_ADDR, dst));
    }
}
