// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Asks what an id is bound to.
 *
 * <pre>{@code
 * struct rdma_ucm_query {      // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_QUERY
 *     __aligned_u64 response;  //  0  address of the reply
 *     __u32 id;                //  8
 *     __u32 option;            // 12  RDMA_USER_CM_QUERY_*
 * };                           // 16
 * }</pre>
 *
 * @param id the id
 * @param option {@code RDMA_USER_CM_QUERY_*}
 */
@KernelStruct(value = "struct rdma_ucm_query", header = "rdma/rdma_user_cm.h")
public record QueryCommand(int id, int option) {
    public static final class Layout {
        public static final int RESPONSE = 0;
        public static final int ID = 8;
        public static final int OPTION = 12;
        public static final int BYTES = 16;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, long response) {
        out.putLong(base + Layout.RESPONSE, response);
        out.putInt(base + Layout.ID, id);
        out.putInt(base + Layout.OPTION, option);
    }
}
