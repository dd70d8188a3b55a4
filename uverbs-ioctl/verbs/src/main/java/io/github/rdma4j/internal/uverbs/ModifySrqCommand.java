// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Changes a shared receive queue.
 *
 * <pre>{@code
 * struct ib_uverbs_modify_srq {  // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_MODIFY_SRQ
 *     __u32 srq_handle;          //  0
 *     __u32 attr_mask;           //  4  IBV_SRQ_*
 *     __u32 max_wr;              //  8
 *     __u32 srq_limit;           // 12
 * };                             // 16
 * }</pre>
 *
 * @param srqHandle the queue
 * @param attrMask which of the others count, {@code IBV_SRQ_*}
 * @param maxWr work requests wanted
 * @param srqLimit fewer work requests than that give an event, once; 0 for none
 */
@KernelStruct(value = "struct ib_uverbs_modify_srq", header = "rdma/ib_user_verbs.h")
public record ModifySrqCommand(int srqHandle, int attrMask, int maxWr, int srqLimit) {
    public static final class Layout {
        public static final int SRQ_HANDLE = 0;
        public static final int ATTR_MASK = 4;
        public static final int MAX_WR = 8;
        public static final int SRQ_LIMIT = 12;
        public static final int BYTES = 16;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        out.putInt(base + Layout.SRQ_HANDLE, srqHandle);
        out.putInt(base + Layout.ATTR_MASK, attrMask);
        out.putInt(base + Layout.MAX_WR, maxWr);
        out.putInt(base + Layout.SRQ_LIMIT, srqLimit);
    }
}
