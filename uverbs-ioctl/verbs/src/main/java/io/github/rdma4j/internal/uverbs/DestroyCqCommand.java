// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Destroys a completion queue.
 *
 * <pre>{@code
 * struct ib_uverbs_destroy_cq {  // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_DESTROY_CQ
 *     __aligned_u64 response;    //  0  unused when sent by INVOKE_WRITE
 *     __u32 cq_handle;           //  8
 *     __u32 reserved;            // 12
 * };                             // 16
 * }</pre>
 *
 * @param cqHandle the completion queue
 */
@KernelStruct(value = "struct ib_uverbs_destroy_cq", header = "rdma/ib_user_verbs.h")
public record DestroyCqCommand(int cqHandle) {
    public static final class Layout {
        public static final int RESPONSE = 0;
        public static final int CQ_HANDLE = 8;
        public static final int RESERVED = 12;
        public static final int BYTES = 16;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, long response) {
        out.putLong(base + Layout.RESPONSE, response);
        out.putInt(base + Layout.CQ_HANDLE, cqHandle);
        out.putInt(base + Layout.RESERVED, 0);
    }
}
