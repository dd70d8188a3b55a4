// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Frees a protection domain.
 *
 * <pre>{@code
 * struct ib_uverbs_dealloc_pd {  // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_DEALLOC_PD
 *     __u32 pd_handle;           // 0
 * };                             // 4
 * }</pre>
 *
 * @param pdHandle the protection domain
 */
@KernelStruct(value = "struct ib_uverbs_dealloc_pd", header = "rdma/ib_user_verbs.h")
public record DeallocPdCommand(int pdHandle) {
    public static final class Layout {
        public static final int PD_HANDLE = 0;
        public static final int BYTES = 4;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        out.putInt(base + Layout.PD_HANDLE, pdHandle);
    }
}
