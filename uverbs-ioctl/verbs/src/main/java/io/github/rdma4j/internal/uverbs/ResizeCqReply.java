// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * The size that a completion queue has from now on.
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
public record ResizeCqReply(int cqe) {
    public static final class Layout {
        public static final int CQE = 0;
        public static final int RESERVED = 4;
        public static final int BYTES = 8;

        private Layout() {}
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static ResizeCqReply decode(ByteBuffer in, int base) {
        return new ResizeCqReply(in.getInt(base + Layout.CQE));
    }
}
