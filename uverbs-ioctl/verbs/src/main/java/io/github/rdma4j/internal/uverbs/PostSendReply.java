// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * The outcome of posting.
 *
 * <pre>{@code
 * struct ib_uverbs_post_send_resp {  // uapi/rdma/ib_user_verbs.h
 *     __u32 bad_wr;                  // 0
 * };                                 // 4
 * }</pre>
 *
 * @param badWr ordinal of the work request that failed, from 1; 0 when none did
 */
@KernelStruct(value = "struct ib_uverbs_post_send_resp", header = "rdma/ib_user_verbs.h")
public record PostSendReply(int badWr) {
    public static final class Layout {
        public static final int BAD_WR = 0;
        public static final int BYTES = 4;

        private Layout() {}
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static PostSendReply decode(ByteBuffer in, int base) {
        return new PostSendReply(in.getInt(base + Layout.BAD_WR));
    }
}
