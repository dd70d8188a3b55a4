// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Creates a completion queue.
 *
 * <pre>{@code
 * struct ib_uverbs_create_cq {    // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_CREATE_CQ
 *     __aligned_u64 response;     //  0  unused when sent by INVOKE_WRITE
 *     __aligned_u64 user_handle;  //  8  echoed in the events of this queue
 *     __u32 cqe;                  // 16
 *     __u32 comp_vector;          // 20
 *     __s32 comp_channel;         // 24  -1 for none
 *     __u32 reserved;             // 28
 * };                              // 32
 * }</pre>
 *
 * @param userHandle echoed in the events of this queue
 * @param cqe entries wanted, at least 1
 * @param compVector completion vector, from 0
 * @param compChannel file descriptor of the completion channel, -1 for none
 */
@KernelStruct(value = "struct ib_uverbs_create_cq", header = "rdma/ib_user_verbs.h")
public record CreateCqCommand(long userHandle, int cqe, int compVector, int compChannel) {
    public static final class Layout {
        public static final int RESPONSE = 0;
        public static final int USER_HANDLE = 8;
        public static final int CQE = 16;
        public static final int COMP_VECTOR = 20;
        public static final int COMP_CHANNEL = 24;
        public static final int RESERVED = 28;
        public static final int BYTES = 32;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, long response) {
        out.putLong(base + Layout.RESPONSE, response);
        out.putLong(base + Layout.USER_HANDLE, userHandle);
        out.putInt(base + Layout.CQE, cqe);
        out.putInt(base + Layout.COMP_VECTOR, compVector);
        out.putInt(base + Layout.COMP_CHANNEL, compChannel);
        out.putInt(base + Layout.RESERVED, 0);
    }
}
