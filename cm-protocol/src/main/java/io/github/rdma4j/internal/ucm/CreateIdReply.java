// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * A new id.
 *
 * <pre>{@code
 * struct rdma_ucm_create_id_resp {  // uapi/rdma/rdma_user_cm.h
 *     __u32 id;                     // 0
 * };                                // 4
 * }</pre>
 *
 * @param id the kernel's handle, 0 is one like any other
 */
@KernelStruct(value = "struct rdma_ucm_create_id_resp", header = "rdma/rdma_user_cm.h")
public record CreateIdReply(int id) {
    public static final class Layout {
        public static final int ID = 0;
        public static final int BYTES = 4;

        private Layout() {}
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static CreateIdReply decode(ByteBuffer in, int base) {
        return new CreateIdReply(in.getInt(base + Layout.ID));
    }
}
