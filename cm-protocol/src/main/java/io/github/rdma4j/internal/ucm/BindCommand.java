// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * Binds an id to a local address.
 *
 * <pre>{@code
 * struct rdma_ucm_bind {                      // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_BIND
 *     __u32 id;                               //   0
 *     __u16 addr_size;                        //   4  exactly that of the family
 *     __u16 reserved;                         //   6  must be zero
 *     struct __kernel_sockaddr_storage addr;  //   8
 * };                                          // 136
 * }</pre>
 *
 * @param id the id
 * @param addr the address; port 0 for an ephemeral one
 */
@KernelStruct(value = "struct rdma_ucm_bind", header = "rdma/rdma_user_cm.h")
public record BindCommand(int id, SocketAddress addr) {
    public static final class Layout {
        public static final int ID = 0;
        public static final int ADDR_SIZE = 4;
        public static final int RESERVED = 6;
        public static final int ADDR = 8;
        public static final int BYTES = 136;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        out.putInt(base + Layout.ID, id);
        StructFields.zero(out, base + Layout.ADDR, Layout.BYTES - Layout.ADDR);
        StructFields.putU16(out, base + Layout.ADDR_SIZE, SockAddr.encode(out, base + Layout.ADDR, addr));
        out.putShort(base + Layout.RESERVED, (short) 0);
    }
}
