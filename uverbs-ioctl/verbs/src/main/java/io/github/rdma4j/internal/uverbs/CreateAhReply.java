// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * A new address handle.
 *
 * <pre>{@code
 * struct ib_uverbs_create_ah_resp {  // uapi/rdma/ib_user_verbs.h
 *     __u32 ah_handle;               // 0
 * };                                 // 4
 * }</pre>
 *
 * @param ahHandle the kernel's handle
 */
@KernelStruct(value = "struct ib_uverbs_create_ah_resp", header = "rdma/ib_user_verbs.h")
public record CreateAhReply(int ahHandle) {
    public static final class Layout {
        public static final int AH_HANDLE = 0;
        public static final int BYTES = 4;

        private Layout() {}
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static CreateAhReply decode(ByteBuffer in, int base) {
        return new CreateAhReply(in.getInt(base + Layout.AH_HANDLE));
    }
}
