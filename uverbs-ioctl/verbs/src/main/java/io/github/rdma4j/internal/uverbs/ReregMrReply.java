// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * The keys that a memory region has from now on.
 *
 * <pre>{@code
 * struct ib_uverbs_rereg_mr_resp {    // uapi/rdma/ib_user_verbs.h
 *     __u32 lkey;                     //  0
 *     __u32 rkey;                     //  4
 * };                                  //  8
 * }</pre>
 *
 * @param lkey the key for local scatter-gather entries
 * @param rkey the key for the peer
 */
@KernelStruct(value = "struct ib_uverbs_rereg_mr_resp", header = "rdma/ib_user_verbs.h")
public record ReregMrReply(int lkey, int rkey) {
    public static final class Layout {
        public static final int LKEY = 0;
        public static final int RKEY = 4;
        public static final int BYTES = 8;

        private Layout() {}
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static ReregMrReply decode(ByteBuffer in, int base) {
        return new ReregMrReply(in.getInt(base + Layout.LKEY), in.getInt(base + Layout.RKEY));
    }
}
