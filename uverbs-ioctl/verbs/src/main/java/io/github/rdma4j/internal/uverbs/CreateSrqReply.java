// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * A new shared receive queue.
 *
 * <pre>{@code
 * struct ib_uverbs_create_srq_resp {  // uapi/rdma/ib_user_verbs.h
 *     __u32 srq_handle;               //  0
 *     __u32 max_wr;                   //  4
 *     __u32 max_sge;                  //  8
 *     __u32 srqn;                     // 12
 * };                                  // 16
 * }</pre>
 *
 * @param srqHandle the kernel's handle
 * @param maxWr work requests granted
 * @param maxSge scatter-gather entries granted
 * @param srqn the number of the queue
 */
@KernelStruct(value = "struct ib_uverbs_create_srq_resp", header = "rdma/ib_user_verbs.h")
public record CreateSrqReply(int srqHandle, int maxWr, int maxSge, int srqn) {
    public static final class Layout {
        public static final int SRQ_HANDLE = 0;
        public static final int MAX_WR = 4;
        public static final int MAX_SGE = 8;
        public static final int SRQN = 12;
        public static final int BYTES = 16;

        private Layout() {}
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static CreateSrqReply decode(ByteBuffer in, int base) {
        return new CreateSrqReply(
                in.getInt(base + Layout.SRQ_HANDLE),
                in.getInt(base + Layout.MAX_WR),
                in.getInt(base + Layout.MAX_SGE),
                in.getInt(base + Layout.SRQN));
    }
}
