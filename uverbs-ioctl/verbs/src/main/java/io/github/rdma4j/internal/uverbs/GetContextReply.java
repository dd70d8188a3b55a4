// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * The event file of a new context.
 *
 * <pre>{@code
 * struct ib_uverbs_get_context_resp {  // uapi/rdma/ib_user_verbs.h
 *     __u32 async_fd;                  // 0
 *     __u32 num_comp_vectors;          // 4
 * };                                   // 8
 * }</pre>
 *
 * @param asyncFd the file descriptor that delivers asynchronous events
 * @param numCompVectors completion vectors: valid ones are 0 to this minus 1
 */
@KernelStruct(value = "struct ib_uverbs_get_context_resp", header = "rdma/ib_user_verbs.h")
public record GetContextReply(int asyncFd, int numCompVectors) {
    public static final class Layout {
        public static final int ASYNC_FD = 0;
        public static final int NUM_COMP_VECTORS = 4;
        public static final int BYTES = 8;

        private Layout() {}
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static GetContextReply decode(ByteBuffer in, int base) {
        return new GetContextReply(in.getInt(base + Layout.ASYNC_FD), in.getInt(base + Layout.NUM_COMP_VECTORS));
    }
}
