// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * A new completion channel.
 *
 * <pre>{@code
 * struct ib_uverbs_create_comp_channel_resp {  // uapi/rdma/ib_user_verbs.h
 *     __u32 fd;                                // 0
 * };                                           // 4
 * }</pre>
 *
 * @param fd the file descriptor
 */
@KernelStruct(value = "struct ib_uverbs_create_comp_channel_resp", header = "rdma/ib_user_verbs.h")
public record CreateCompChannelReply(int fd) {
    public static final class Layout {
        public static final int FD = 0;
        public static final int BYTES = 4;

        private Layout() {}
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static CreateCompChannelReply decode(ByteBuffer in, int base) {
        return new CreateCompChannelReply(in.getInt(base + Layout.FD));
    }
}
