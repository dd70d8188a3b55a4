// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Allocates a protection domain.
 *
 * <pre>{@code
 * struct ib_uverbs_alloc_pd {  // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_ALLOC_PD
 *     __aligned_u64 response;  // 0  unused when sent by INVOKE_WRITE
 * };                           // 8
 * }</pre>
 */
@KernelStruct(value = "struct ib_uverbs_alloc_pd", header = "rdma/ib_user_verbs.h")
public record AllocPdCommand() {
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
