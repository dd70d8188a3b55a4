// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/** Polls completions by the kernel, which implements this for few drivers. */
public final class PollCq {
    private PollCq() {}

    /**
     * Polls a completion queue.
     *
     * <pre>{@code
     * struct ib_uverbs_poll_cq {     // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_POLL_CQ
     *     __aligned_u64 response;    //  0  unused when sent by INVOKE_WRITE
     *     __u32 cq_handle;           //  8
     *     __u32 ne;                  // 12  the most completions
     * };                             // 16
     * }</pre>
     *
     * @param cqHandle the completion queue
     * @param most the most completions
     */
    @KernelStruct(value = "struct ib_uverbs_poll_cq", header = "rdma/ib_user_verbs.h")
    public record Command(int cqHandle, int most) {
        public static final int RESPONSE = 0;
        public static final int CQ_HANDLE = 8;
        public static final int NE = 12;
        public static final int BYTES = 16;

        /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putLong(base + RESPONSE, 0);
            out.putInt(base + CQ_HANDLE, cqHandle);
            out.putInt(base + NE, most);
        }
    }

    /**
     * The number of completions that follow.
     *
     * <pre>{@code
     * struct ib_uverbs_poll_cq_resp {    // uapi/rdma/ib_user_verbs.h
     *     __u32 count;                   //  0
     *     __u32 reserved;                //  4
     *     struct ib_uverbs_wc wc[];      //  8
     * };                                 //  8
     * }</pre>
     *
     * @param count the completions taken
     */
    @KernelStruct(value = "struct ib_uverbs_poll_cq_resp", header = "rdma/ib_user_verbs.h")
    public record Reply(int count) {
        public static final int COUNT = 0;
        public static final int RESERVED = 4;
        public static final int BYTES = 8;

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static Reply decode(ByteBuffer in, int base) {
            return new Reply(in.getInt(base + COUNT));
        }
    }
}
