// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Ends a memory window.
 *
 * <pre>{@code
 * struct ib_uverbs_dealloc_mw {    // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_DEALLOC_MW
 *     __u32 mw_handle;             // 0
 * };                               // 4
 * }</pre>
 *
 * @param mwHandle the memory window
 */
@KernelStruct(value = "struct ib_uverbs_dealloc_mw", header = "rdma/ib_user_verbs.h")
public record DeallocMwCommand(int mwHandle) {
    public static final class Layout {
        public static final int MW_HANDLE = 0;
        public static final int BYTES = 4;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        out.putInt(base + Layout.MW_HANDLE, mwHandle);
    }
}
