// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Listens for connection requests.
 *
 * <pre>{@code
 * struct rdma_ucm_listen {  // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_LISTEN
 *     __u32 id;             // 0
 *     __u32 backlog;        // 4
 * };                        // 8
 * }</pre>
 *
 * @param id the id
 * @param backlog requests that wait to be read; 0 for the system's maximum
 */
@KernelStruct(value = "struct rdma_ucm_listen", header = "rdma/rdma_user_cm.h")
public record ListenCommand(int id, int backlog) {
    public static final class Layout {
        public static final int ID = 0;
        public static final int BACKLOG = 4;
        public static final int BYTES = 8;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        out.putInt(base + Layout.ID, id);
        out.putInt(base + Layout.BACKLOG, backlog);
    }
}
