// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Opens the context of a device file: the first command of every file.
 *
 * <pre>{@code
 * struct ib_uverbs_get_context {  // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_GET_CONTEXT
 *     __aligned_u64 response;     // 0  unused when sent by INVOKE_WRITE
 * };                              // 8
 * }</pre>
 */
@KernelStruct(value = "struct ib_uverbs_get_context", header = "rdma/ib_user_verbs.h")
public record GetContextCommand() {
    public static final class Layout {
        public static final int RESPONSE = 0;
        public static final int BYTES = 8;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, long response) {
        out.putLong(base + Layout.RESPONSE, response);
    }
}
