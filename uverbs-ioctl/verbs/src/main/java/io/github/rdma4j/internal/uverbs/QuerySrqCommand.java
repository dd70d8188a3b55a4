// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Asks for the attributes of a shared receive queue.
 *
 * <pre>{@code
 * struct ib_uverbs_query_srq {    // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_QUERY_SRQ
 *     __aligned_u64 response;     //  0  unused when sent by INVOKE_WRITE
 *     __u32 srq_handle;           //  8
 *     __u32 reserved;             // 12
 * };                              // 16
 * }</pre>
 *
 * @param srqHandle the queue
 */
@KernelStruct(value = "struct ib_uverbs_query_srq", header = "rdma/ib_user_verbs.h")
public record QuerySrqCommand(int srqHandle) {
    public static final class Layout {
        public static final int RESPONSE = 0;
        public static final int SRQ_HANDLE = 8;
        public static final int RESERVED = 12;
        public static final int BYTES = 16;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        out.putLong(base + Layout.RESPONSE, 0);
        out.putInt(base + Layout.SRQ_HANDLE, srqHandle);
        out.putInt(base + Layout.RESERVED, 0);
    }
}
