// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Destroys an id and drops its events that were not read.
 *
 * <pre>{@code
 * struct rdma_ucm_destroy_id {  // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_DESTROY_ID
 *     __aligned_u64 response;   //  0  address of the reply
 *     __u32 id;                 //  8
 *     __u32 reserved;           // 12
 * };                            // 16
 * }</pre>
 *
 * @param id the id
 */
@KernelStruct(value = "struct rdma_ucm_destroy_id", header = "rdma/rdma_user_cm.h")
public record DestroyIdCommand(int id) {
    public static final class Layout {
        public static final int RESPONSE = 0;
        public static final int ID = 8;
        public static final int RESERVED = 12;
        public static final int BYTES = 16;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, long response) {
        out.putLong(base + Layout.RESPONSE, response);
        out.putInt(base + Layout.ID, id);
        out.putInt(base + Layout.RESERVED, 0);
    }
}
