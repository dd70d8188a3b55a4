// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Creates a shared receive queue.
 *
 * <pre>{@code
 * struct ib_uverbs_create_srq {   // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_CREATE_SRQ
 *     __aligned_u64 response;     //  0  unused when sent by INVOKE_WRITE
 *     __aligned_u64 user_handle;  //  8
 *     __u32 pd_handle;            // 16
 *     __u32 max_wr;               // 20
 *     __u32 max_sge;              // 24
 *     __u32 srq_limit;            // 28
 * };                              // 32
 * }</pre>
 *
 * @param userHandle echoed in the events of this queue
 * @param pdHandle the protection domain
 * @param maxWr work requests wanted
 * @param maxSge scatter-gather entries of one work request
 * @param srqLimit fewer work requests than that give an event, once; 0 for none
 */
@KernelStruct(value = "struct ib_uverbs_create_srq", header = "rdma/ib_user_verbs.h")
public record CreateSrqCommand(long userHandle, int pdHandle, int maxWr, int maxSge, int srqLimit) {
    public static final class Layout {
        public static final int RESPONSE = 0;
        public static final int USER_HANDLE = 8;
        public static final int PD_HANDLE = 16;
        public static final int MAX_WR = 20;
        public static final int MAX_SGE = 24;
        public static final int SRQ_LIMIT = 28;
        public static final int BYTES = 32;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, long response) {
        out.putLong(base + Layout.RESPONSE, response);
        out.putLong(base + Layout.USER_HANDLE, userHandle);
        out.putInt(base + Layout.PD_HANDLE, pdHandle);
        out.putInt(base + Layout.MAX_WR, maxWr);
        out.putInt(base + Layout.MAX_SGE, maxSge);
        out.putInt(base + Layout.SRQ_LIMIT, srqLimit);
    }
}
