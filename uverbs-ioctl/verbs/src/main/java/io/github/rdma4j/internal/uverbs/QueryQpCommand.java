// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Asks for the attributes of a queue pair.
 *
 * <pre>{@code
 * struct ib_uverbs_query_qp {  // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_QUERY_QP
 *     __aligned_u64 response;  //  0  unused when sent by INVOKE_WRITE
 *     __u32 qp_handle;         //  8
 *     __u32 attr_mask;         // 12  IBV_QP_*
 * };                           // 16
 * }</pre>
 *
 * @param qpHandle the queue pair
 * @param attrMask the attributes wanted, {@code IBV_QP_*}; drivers may return more
 */
@KernelStruct(value = "struct ib_uverbs_query_qp", header = "rdma/ib_user_verbs.h")
public record QueryQpCommand(int qpHandle, int attrMask) {
    public static final class Layout {
        public static final int RESPONSE = 0;
        public static final int QP_HANDLE = 8;
        public static final int ATTR_MASK = 12;
        public static final int BYTES = 16;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, long response) {
        out.putLong(base + Layout.RESPONSE, response);
        out.putInt(base + Layout.QP_HANDLE, qpHandle);
        out.putInt(base + Layout.ATTR_MASK, attrMask);
    }
}
