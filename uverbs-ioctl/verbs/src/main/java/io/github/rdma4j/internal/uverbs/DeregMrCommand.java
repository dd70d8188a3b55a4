// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Frees a memory region and unpins its pages.
 *
 * <pre>{@code
 * struct ib_uverbs_dereg_mr {  // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_DEREG_MR
 *     __u32 mr_handle;         // 0
 * };                           // 4
 * }</pre>
 *
 * @param mrHandle the memory region
 */
@KernelStruct(value = "struct ib_uverbs_dereg_mr", header = "rdma/ib_user_verbs.h")
public record DeregMrCommand(int mrHandle) {
    public static final class Layout {
        public static final int MR_HANDLE = 0;
        public static final int BYTES = 4;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        out.putInt(base + Layout.MR_HANDLE, mrHandle);
    }
}
