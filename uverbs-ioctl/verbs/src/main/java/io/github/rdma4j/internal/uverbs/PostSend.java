// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/** Makes the kernel process a send queue. */
public final class PostSend {
    private PostSend() {}

    /**
     * Posts work requests, or rings the doorbell of a software device if there are none.
     *
     * <pre>{@code
     * struct ib_uverbs_post_send {  // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_POST_SEND
     *     __aligned_u64 response;   //  0  unused when sent by INVOKE_WRITE
     *     __u32 qp_handle;          //  8
     *     __u32 wr_count;           // 12
     *     __u32 sge_count;          // 16
     *     __u32 wqe_size;           // 20  at least 56
     * };                            // 24
     * }</pre>
     *
     * @param qpHandle the queue pair
     * @param wrCount work requests that follow
     * @param sgeCount scatter-gather entries that follow them
     * @param wqeSize bytes of one work request, at least 56
     */
    @KernelStruct(value = "struct ib_uverbs_post_send", header = "rdma/ib_user_verbs.h")
    public record Command(int qpHandle, int wrCount, int sgeCount, int wqeSize) {
        public static final int RESPONSE = 0;
        public static final int QP_HANDLE = 8;
        public static final int WR_COUNT = 12;
        public static final int SGE_COUNT = 16;
        public static final int WQE_SIZE = 20;
        public static final int BYTES = 24;

        /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
        public void encode(ByteBuffer out, int base, long response) {
            out.putLong(base + RESPONSE, response);
            out.putInt(base + QP_HANDLE, qpHandle);
            out.putInt(base + WR_COUNT, wrCount);
            out.putInt(base + SGE_COUNT, sgeCount);
            out.putInt(base + WQE_SIZE, wqeSize);
        }
    }

    /**
     * The outcome of posting.
     *
     * <pre>{@code
     * struct ib_uverbs_post_send_resp {  // uapi/rdma/ib_user_verbs.h
     *     __u32 bad_wr;                  // 0
     * };                                 // 4
     * }</pre>
     *
     * @param badWr ordinal of the work request that failed, from 1; 0 if none failed
     */
    @KernelStruct(value = "struct ib_uverbs_post_send_resp", header = "rdma/ib_user_verbs.h")
    public record Reply(int badWr) {
        public static final int BAD_WR = 0;
        public static final int BYTES = 4;

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static Reply decode(ByteBuffer in, int base) {
            return new Reply(in.getInt(base + BAD_WR));
        }
    }
}
