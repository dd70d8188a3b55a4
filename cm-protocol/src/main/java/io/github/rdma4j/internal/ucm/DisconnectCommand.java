// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Disconnects.
 *
 * <pre>{@code
 * struct rdma_ucm_disconnect {  // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_DISCONNECT
 *     __u32 id;                 // 0
 * };                            // 4
 * }</pre>
 *
 * @param id the id
 */
@KernelStruct(value = "struct rdma_ucm_disconnect", header = "rdma/rdma_user_cm.h")
public record DisconnectCommand(int id) {
    public static final class Layout {
        public static final int ID = 0;
        public static final int BYTES = 4;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        out.putInt(base + Layout.ID, id);
    }
}
