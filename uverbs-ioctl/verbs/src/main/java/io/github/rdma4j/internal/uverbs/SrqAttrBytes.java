// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * The kernel's answer to a query of a shared receive queue, an {@link SrqAttr}.
 *
 * <pre>{@code
 * struct ib_uverbs_query_srq_resp {  // uapi/rdma/ib_user_verbs.h
 *     __u32 max_wr;                  //  0
 *     __u32 max_sge;                 //  4
 *     __u32 srq_limit;               //  8
 *     __u32 reserved;                // 12
 * };                                 // 16
 * }</pre>
 */
@KernelStruct(value = "struct ib_uverbs_query_srq_resp", header = "rdma/ib_user_verbs.h")
public final class SrqAttrBytes {
    public static final class Layout {
        public static final int MAX_WR = 0;
        public static final int MAX_SGE = 4;
        public static final int SRQ_LIMIT = 8;
        public static final int RESERVED = 12;
        public static final int BYTES = 16;

        private Layout() {}
    }

    private SrqAttrBytes() {}

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static SrqAttr decode(ByteBuffer in, int base) {
        return new SrqAttr(
                in.getInt(base + Layout.MAX_WR), in.getInt(base + Layout.MAX_SGE), in.getInt(base + Layout.SRQ_LIMIT));
    }
}
