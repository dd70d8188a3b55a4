// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * A record that a read of a completion channel returns.
 *
 * <pre>{@code
 * struct ib_uverbs_comp_event_desc {  // uapi/rdma/ib_user_verbs.h
 *     __aligned_u64 cq_handle;        // 0  user_handle of the completion queue
 * };                                  // 8
 * }</pre>
 */
@KernelStruct(value = "struct ib_uverbs_comp_event_desc", header = "rdma/ib_user_verbs.h")
public final class CompEventDesc {
    public static final class Layout {
        public static final int CQ_HANDLE = 0;
        public static final int BYTES = 8;

        private Layout() {}
    }

    private CompEventDesc() {}

    /** The {@code user_handle} of the completion queue, from the record at {@code base} of a buffer in native order. */
    public static long cqHandle(ByteBuffer in, int base) {
        return in.getLong(base + Layout.CQ_HANDLE);
    }
}
