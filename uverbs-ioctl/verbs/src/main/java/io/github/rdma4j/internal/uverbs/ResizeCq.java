// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/** Resizes a completion queue. */
public final class ResizeCq {
    private ResizeCq() {}

    /**
     * Resizes a completion queue.
     *
     * <pre>{@code
     * struct ib_uverbs_resize_cq {     // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_RESIZE_CQ
     *     __aligned_u64 response;      //  0  unused when sent by INVOKE_WRITE
     *     __u32 cq_handle;             //  8
     *     __u32 cqe;                   // 12  entries
     * };                               // 16
     * }</pre>
     *
     * @param cqHandle the completion queue
     * @param cqe entries wanted
     */
    @KernelStruct(value = "struct ib_uverbs_resize_cq", header = "rdma/ib_user_verbs.h")
    public record Command(int cqHandle, int cqe) {
        public static final int RESPONSE = 0;
        public static final int CQ_HANDLE = 8;
        public static final int CQE = 12;
        public static final int BYTES = 16;

        /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putLong(base + RESPONSE, 0);
            out.putInt(base + CQ_HANDLE, cqHandle);
            out.putInt(base + CQE, cqe);
        }
    }

    /**
     * The new size of a completion queue.
     *
     * <pre>{@code
     * struct ib_uverbs_resize_cq_resp {   // uapi/rdma/ib_user_verbs.h
     *     __u32 cqe;                      //  0  entries granted
     *     __u32 reserved;                 //  4
     * };                                  //  8  what the driver adds follows
     * }</pre>
     *
     * @param cqe entries granted
     */
    @KernelStruct(value = "struct ib_uverbs_resize_cq_resp", header = "rdma/ib_user_verbs.h")
    public record Reply(int cqe) {
        public static final int CQE = 0;
        public static final int RESERVED = 4;
        public static final int BYTES = 8;

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static Reply decode(ByteBuffer in, int base) {
            return new Reply(in.getInt(base + CQE));
        }
    }
}
