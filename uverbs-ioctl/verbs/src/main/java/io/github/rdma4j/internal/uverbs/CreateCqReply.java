// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * A new completion queue.
 *
 * <pre>{@code
 * struct ib_uverbs_create_cq_resp {  // uapi/rdma/ib_user_verbs.h
 *     __u32 cq_handle;               // 0
 *     __u32 cqe;                     // 4
 * };                                 // 8
 * }</pre>
 *
 * @param cqHandle the kernel's handle
 * @param cqe entries that it can hold
 */
@KernelStruct(value = "struct ib_uverbs_create_cq_resp", header = "rdma/ib_user_verbs.h")
public record CreateCqReply(int cqHandle, int cqe) {
    public static final class Layout {
        public static final int CQ_HANDLE = 0;
        public static final int CQE = 4;
        public static final int BYTES = 8;

        private Layout() {}
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static CreateCqReply decode(ByteBuffer in, int base) {
        return new CreateCqReply(in.getInt(base + Layout.CQ_HANDLE), in.getInt(base + Layout.CQE));
    }
}
