// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * The keys of a new memory region.
 *
 * <pre>{@code
 * struct ib_uverbs_reg_mr_resp {      // uapi/rdma/ib_user_verbs.h
 *     __u32 mr_handle;                //  0
 *     __u32 lkey;                     //  4
 *     __u32 rkey;                     //  8
 * };                                  // 12
 * }</pre>
 *
 * @param mrHandle the kernel's handle
 * @param lkey the key for local scatter-gather entries
 * @param rkey the key for the peer
 */
@KernelStruct(value = "struct ib_uverbs_reg_mr_resp", header = "rdma/ib_user_verbs.h")
public record RegMrReply(int mrHandle, int lkey, int rkey) {
    public static final class Layout {
        public static final int MR_HANDLE = 0;
        public static final int LKEY = 4;
        public static final int RKEY = 8;
        public static final int BYTES = 12;

        private Layout() {}
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static RegMrReply decode(ByteBuffer in, int base) {
        return new RegMrReply(
                in.getInt(base + Layout.MR_HANDLE), in.getInt(base + Layout.LKEY), in.getInt(base + Layout.RKEY));
    }
}
